import { sha256 } from '../../values/digest.ts';
import { canonicalJson } from '../../values/json.ts';
import type { Evidence } from './evidence.ts';

/** Evidence that has not been hashed yet. */
export type Unsealed = Omit<Evidence, 'digest' | 'previous'>;

/** Chains evidence to the one before it and hashes both together (rule E8). */
export function seal(evidence: Unsealed, previous: string | null): Evidence {
  const chained = { ...evidence, previous };
  return { ...chained, digest: digestOf(chained) };
}

/** SHA-256 (hex) of the canonical JSON of a document without its `digest`. */
export function digestOf(document: object): string {
  return sha256(
    canonicalJson(Object.fromEntries(Object.entries(document).filter(([name]) => name !== 'digest'))),
  );
}
