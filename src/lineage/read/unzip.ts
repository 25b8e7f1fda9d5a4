import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/**
 * The parts of a byte stream, unzipped where they are gzip. Bytes that end too early, or are damaged, are passed to `fault`, after
 * all parts that could be read.
 */
export async function* unzipped(
  bytes: AsyncIterable<Uint8Array>,
  fault: (why: string) => void,
): AsyncGenerator<Uint8Array> {
  const iterator = bytes[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) return;
  const whole = async function* (): AsyncGenerator<Uint8Array> {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  };
  const isZipped = first.value[0] === 0x1f && first.value[1] === 0x8b;
  if (!isZipped) {
    yield* whole();
    return;
  }
  // What unzips asks for the next parts before it is done with one.
  const kept = async function* (): AsyncGenerator<Uint8Array> {
    for await (const part of whole()) yield new Uint8Array(part);
  };
  try {
    yield* Readable.from(kept()).pipe(createGunzip());
  } catch (cause) {
    if (!isZlibError(cause)) throw cause;
    fault('the compressed file is cut off or damaged');
  }
}

function isZlibError(cause: unknown): boolean {
  const code = (cause as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.startsWith('Z_');
}
