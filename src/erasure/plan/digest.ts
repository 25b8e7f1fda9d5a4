import { createHash } from 'node:crypto';
import { canonicalPieces } from '../../values/json.ts';
import type { Plan } from './plan.ts';

/** SHA-256 (hex) of a plan's canonical JSON without its digest, by which the journal and the evidence name it. */
export function planDigest({ digest: _, ...content }: Plan): string {
  const hash = createHash('sha256');
  for (const piece of canonicalPieces(content)) hash.update(piece);
  return hash.digest('hex');
}
