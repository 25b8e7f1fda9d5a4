import type { Clock, Random } from '../../../values/time.ts';

/**
 * A key under which a request is carried out once however often it is sent: a UUID of version 7 (RFC 9562), as the specification's
 * `Idempotency-Key` wants it.
 */
export function idempotencyKeyOf(clock: Clock, random: Random): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(clock.now(), 0, 6);
  bytes.set(random.bytes(10), 6);
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  const hex = bytes.toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
