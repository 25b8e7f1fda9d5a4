import type { Subject } from '../governance/governance.ts';
import { canonicalId } from '../values/id.ts';
import type { Entry } from './entry.ts';

/** What the register knows of one id: the requests that erased it, or that it is no id of this type. */
export type ErasedAnswer =
  | { readonly kind: 'erased'; readonly requests: readonly string[] }
  | { readonly kind: 'unknown' | 'no-id' };

const UNKNOWN: ErasedAnswer = { kind: 'unknown' };
const NO_ID: ErasedAnswer = { kind: 'no-id' };

/** Everybody in the register at one moment. Ids are hashed under every key that has entries, and looked up. */
export class ErasedPeople {
  readonly #requests = new Map<string, Set<string>>();
  readonly #keyIds: readonly string[];
  readonly #hash: (keyId: string, subject: string, id: readonly string[]) => string;

  constructor(
    entries: readonly Entry[],
    hash: (keyId: string, subject: string, id: readonly string[]) => string,
  ) {
    this.#hash = hash;
    this.#keyIds = [...new Set(entries.map((entry) => entry.keyId))];
    for (const { subject, keyId, hash: hashed, request } of entries) {
      const name = JSON.stringify([subject, keyId, hashed]);
      const requests = this.#requests.get(name) ?? new Set();
      this.#requests.set(name, requests.add(request));
    }
  }

  /** The parts of an id as a table holds them, coerced to the subject's `id_type` and looked up (rule G1). */
  ask(subject: Subject, parts: readonly unknown[]): ErasedAnswer {
    const id = parts.map((part) => canonicalId(subject.idType, part));
    if (!id.every((part) => part !== null)) return NO_ID;
    const requests = this.requestsOf(subject.name, id);
    return requests.length === 0 ? UNKNOWN : { kind: 'erased', requests };
  }

  /** The requests that erased a canonical id, sorted; none for someone who is not in the register. */
  requestsOf(subject: string, id: readonly string[]): readonly string[] {
    if (this.#requests.size === 0) return [];
    const found = this.#keyIds.flatMap((keyId) => [
      ...(this.#requests.get(JSON.stringify([subject, keyId, this.#hash(keyId, subject, id)])) ?? []),
    ]);
    return [...new Set(found)].sort();
  }
}
