import { crc32 } from 'node:zlib';
import { SYNC } from './records.ts';

/** A container of one block, written byte by byte. */
export function container(
  codec: string,
  count: number,
  block: Uint8Array,
  schema: unknown = ONE_TEXT,
): Buffer {
  const string = (text: string): Buffer =>
    Buffer.concat([zigzag(Buffer.byteLength(text)), Buffer.from(text)]);
  return Buffer.concat([
    Buffer.from('Obj\x01'),
    zigzag(2),
    string('avro.schema'),
    string(typeof schema === 'string' ? schema : JSON.stringify(schema)),
    string('avro.codec'),
    string(codec),
    zigzag(0),
    SYNC,
    zigzag(count),
    zigzag(block.length),
    block,
    SYNC,
  ]);
}

export const ONE_TEXT = { type: 'record', name: 'r', fields: [{ name: 'v', type: 'string' }] };

export function zigzag(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value * 2;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

/** Snappy's simplest form: the length, one literal, and Avro's check sum. */
export function snappyBlock(plain: Uint8Array): Buffer {
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(plain));
  return Buffer.concat([Buffer.from([plain.length, (plain.length - 1) << 2]), plain, check]);
}

/** Zstandard's simplest form: one frame of one raw block (RFC 8878). */
export function zstdBlock(plain: Uint8Array): Buffer {
  const header = Buffer.alloc(3);
  header.writeUIntLE((plain.length << 3) | 1, 0, 3);
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, plain.length]), header, plain]);
}
