import { createRequire } from 'node:module';
import type { IHasher } from 'hash-wasm';
import { InputError } from '../errors.ts';
import { Private } from '../values/private.ts';

/** By `require`: Node reads the package, all of its hashes in one file, once more for its names where a module imports it. */
const { createHMAC, createSHA256 } = createRequire(import.meta.url)(
  'hash-wasm',
) as typeof import('hash-wasm');

/** The least length of a key in bytes: the output of SHA-256 (RFC 2104, section 3). */
const LEAST_BYTES = 32;

/** A secret of at least 32 bytes: as bytes, as UTF-8 text, or as text beginning with `hex:` or `base64:`. */
export type KeySecret = string | Uint8Array;

/** The keys of a register by key id, ready to hash; the secrets never leave them. */
export class RegisterKeys {
  readonly current: string;
  readonly #hashers: Private<ReadonlyMap<string, IHasher>>;

  private constructor(current: string, hashers: ReadonlyMap<string, IHasher>) {
    this.current = current;
    this.#hashers = new Private(hashers);
  }

  /** Throws `register/key` for a key that is no key, and `register/no-current-key`. No error shows a secret. */
  static async from(keys: Readonly<Record<string, KeySecret>>, current: string): Promise<RegisterKeys> {
    const hashers = new Map<string, IHasher>();
    for (const [id, secret] of Object.entries(keys)) {
      hashers.set(id, await createHMAC(createSHA256(), keyBytes(id, secret)));
    }
    if (hashers.has(current)) return new RegisterKeys(current, hashers);
    throw new InputError(
      'register/no-current-key',
      `There is no key with the id ${JSON.stringify(current)}`,
      {
        remedy: `Name one of the key ids as current: ${Object.keys(keys).join(', ') || 'none was given'}`,
        data: { current },
      },
    );
  }

  get ids(): readonly string[] {
    return [...this.#hashers.reveal().keys()];
  }

  has(keyId: string): boolean {
    return this.#hashers.reveal().has(keyId);
  }

  /** HMAC-SHA256 of `message` under the key `keyId`, in lower-case hex. */
  hash(keyId: string, message: string): string {
    return this.#hashers.reveal().get(keyId)!.init().update(message).digest('hex');
  }
}

/** Reads a secret. Throws `register/key`. */
export function keyBytes(id: string, secret: KeySecret): Uint8Array {
  const bytes = typeof secret === 'string' ? decode(id, secret) : secret;
  if (bytes.length >= LEAST_BYTES) return bytes;
  throw badKey(id, `has ${bytes.length} bytes, and ${LEAST_BYTES} are the least`);
}

function decode(id: string, text: string): Uint8Array {
  const [, form, body] = /^(hex|base64):(.*)$/s.exec(text) ?? [];
  if (form === undefined || body === undefined) return Buffer.from(text, 'utf8');
  const written = body.trim();
  const bytes = Buffer.from(written, form as 'hex' | 'base64');
  // Buffer.from skips what it cannot read, which would leave a shorter key without a word.
  const read = form === 'hex' ? bytes.toString('hex') : bytes.toString('base64').replace(/=+$/, '');
  const given =
    form === 'hex'
      ? written.toLowerCase()
      : written.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  if (read === given) return bytes;
  throw badKey(id, `is not ${form}`);
}

function badKey(id: string, fault: string): InputError {
  return new InputError('register/key', `The register key ${JSON.stringify(id)} ${fault}`, {
    remedy: 'Make one with `openssl rand -hex 32`, put hex: before it, and keep it apart from the register',
    data: { keyId: id },
  });
}
