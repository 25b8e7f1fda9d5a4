import { sha256 as hashWasmSha256 } from 'hash-wasm';

/** SHA-256 in lower-case hex; text is hashed as UTF-8. */
export function sha256(data: Uint8Array | string): Promise<string> {
  return hashWasmSha256(data);
}
