import { RefusedError } from '../../errors.ts';
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

/**
 * Refuses people whom the register does not know of a request that it knows: a request is the name under which evidence tells who was
 * erased, also once it has ended.
 */
export async function refuseOtherPeople(options: EraseOptions): Promise<void> {
  const { register, request } = options;
  const begun = (await register.entries()).some((entry) => entry.request === request);
  if (!begun || !options.governance.subjects.has(options.subject)) return;
  const known = await openPeople(options);
  const subject = options.governance.subjects.get(options.subject)!;
  if (known.length < canonicalIds(subject, options.ids).length) throw otherPeople(options);
}

/** The error of a request that was begun for other people. */
export function otherPeople({ request }: Pick<EraseOptions, 'request'>): RefusedError {
  return new RefusedError('erasure/other-people', `${request} began for other people`, {
    remedy: 'Start it again with the same ids, and erase the others under a new request',
    data: { request },
  });
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
