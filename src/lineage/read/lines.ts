import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/**
 * The lines of a byte stream, without their ends, decoded as UTF-8 and unzipped where they are gzip. A line of any length
 * costs its own length only. Bytes that end too early are passed to `fault`, after all lines that could be read.
 */
export async function* linesOf(
  bytes: AsyncIterable<Uint8Array>,
  fault: (why: string) => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let open: string[] = [];
  const lines = function* (text: string): Generator<string> {
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      open.push(text.slice(from, at));
      const line = open.length === 1 ? open[0]! : open.join('');
      open = [];
      yield line.endsWith('\r') ? line.slice(0, -1) : line;
      from = at + 1;
    }
    if (from < text.length) open.push(text.slice(from));
  };
  try {
    for await (const chunk of await unzipped(bytes)) yield* lines(decoder.decode(chunk, { stream: true }));
  } catch (cause) {
    if (!isZlibError(cause)) throw cause;
    fault('the compressed file is cut off or damaged');
  }
  yield* lines(decoder.decode());
  if (open.length > 0) yield open.join('').replace(/\r$/, '');
}

async function unzipped(bytes: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const iterator = bytes[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) return Readable.from([]);
  const whole = async function* (): AsyncGenerator<Uint8Array> {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  };
  const zipped = first.value[0] === 0x1f && first.value[1] === 0x8b;
  return zipped ? Readable.from(whole()).pipe(createGunzip()) : whole();
}

function isZlibError(cause: unknown): boolean {
  const code = (cause as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.startsWith('Z_');
}
