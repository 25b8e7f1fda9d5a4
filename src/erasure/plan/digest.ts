import { createHash } from 'node:crypto';
import { canonicalJson } from '../../values/json.ts';
import type { Plan } from './plan.ts';

/** SHA-256 (hex) of a plan's canonical JSON without its digest, by which the journal and the evidence name it. */
export function planDigest({ digest: _, ...content }: Plan): string {
  return createHash('sha256').update(canonicalJson(content)).digest('hex');
}
