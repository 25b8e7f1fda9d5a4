import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

const NEWLINE = 0x0a;

/**
 * The lines of a byte stream, without their ends, unzipped where they are gzip. A line of any length
 * costs its own length only. Bytes that end too early are passed to `fault`, after all lines that could be read.
 */
export async function* linesOf(
  bytes: AsyncIterable<Uint8Array>,
  fault: (why: string) => void,
): AsyncGenerator<Buffer> {
  /** The parts of a line whose end has not come yet. */
  let open: Buffer[] = [];
  try {
    for await (const chunk of await unzipped(bytes)) {
      const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      let from = 0;
      for (let at = buffer.indexOf(NEWLINE); at >= 0; at = buffer.indexOf(NEWLINE, from)) {
        if (open.length === 0) yield lineIn(buffer, from, at);
        else {
          const line = Buffer.concat([...open, buffer.subarray(from, at)]);
          open = [];
          yield lineIn(line, 0, line.length);
        }
        from = at + 1;
      }
      if (from < buffer.length) open.push(buffer.subarray(from));
    }
  } catch (cause) {
    if (!isZlibError(cause)) throw cause;
    fault('the compressed file is cut off or damaged');
  }
  const rest = Buffer.concat(open);
  if (rest.length > 0) yield lineIn(rest, 0, rest.length);
}

function lineIn(line: Buffer, from: number, to: number): Buffer {
  const end = to > from && line[to - 1] === 0x0d ? to - 1 : to;
  return line.subarray(from, end);
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
