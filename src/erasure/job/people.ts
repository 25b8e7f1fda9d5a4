import type { EntryState } from '../../register/entry.ts';
import { type CanonicalId, canonicalIds } from '../bind-ids.ts';
import type { EraseOptions } from './options.ts';

/** Writes the people of a request into the register. */
export async function record(
  options: EraseOptions,
  ids: readonly CanonicalId[],
  state: EntryState,
): Promise<void> {
  const { register, request, subject, day } = options;
  await register.add(ids.map((id) => ({ request, subject, id, state, day })));
}

/** Those of the given people for whom the request was begun: its private file, which knew them, is gone. */
export async function openPeople(options: EraseOptions): Promise<readonly CanonicalId[]> {
  const { register, governance, request } = options;
  const subject = governance.subjects.get(options.subject)!;
  const erased = await register.erased();
  return canonicalIds(subject, options.ids).filter((id) =>
    erased.requestsOf(subject.name, id).includes(request),
  );
}
