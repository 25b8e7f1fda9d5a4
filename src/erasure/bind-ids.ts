import { InputError } from '../errors.ts';
import type { Subject } from '../governance/governance.ts';
import { canonicalId } from '../values/id.ts';

/** One id as a caller has it: a value, or the parts of a composite id in the order of the subject's `id_columns`. */
export type GivenId = unknown | readonly unknown[];

/** An id in its one text form; a composite id has several parts. */
export type CanonicalId = readonly string[];

/**
 * The ids of a request in their one text form (rule G1), each once, in the order given. Throws `erasure/no-ids`,
 * `erasure/id-parts` where an id has a number of parts that no id column of the subject has, and `erasure/id-type` where a
 * part is no value of the subject's `id_type`. No error shows an id.
 */
export function canonicalIds(subject: Subject, given: readonly GivenId[]): readonly CanonicalId[] {
  if (given.length === 0) {
    throw new InputError('erasure/no-ids', `No id of a ${subject.name} was given`, {
      remedy: 'Pass the ids of the people of this request',
    });
  }
  const widths = new Set(subject.idColumns.map((columns) => columns.length));
  const ids = given.map((id, index) =>
    canonicalParts({ subject, id, place: `id ${index + 1} of ${given.length}`, widths }),
  );
  return [...new Map(ids.map((id) => [JSON.stringify(id), id])).values()];
}

interface OneId {
  readonly subject: Subject;
  readonly id: GivenId;
  /** Which of the ids it is, for the message. */
  readonly place: string;
  readonly widths: ReadonlySet<number>;
}

function canonicalParts({ subject, id, place, widths }: OneId): readonly string[] {
  const parts: readonly unknown[] = Array.isArray(id) ? id : [id];
  if (widths.size > 0 && !widths.has(parts.length)) {
    throw new InputError(
      'erasure/id-parts',
      `${place} has ${parts.length} part(s), and a ${subject.name} has ${[...widths].join(' or ')}`,
      {
        remedy: 'Give the parts of an id in the order of id_columns in the governance files',
        data: { subject: subject.name, parts: parts.length, allowed: [...widths] },
      },
    );
  }
  return parts.map((part) => {
    const canonical = canonicalId(subject.idType, part);
    if (canonical !== null) return canonical;
    throw new InputError(
      'erasure/id-type',
      `${place} is no ${subject.idType}, which the ids of a ${subject.name} are`,
      {
        remedy: 'Check the id, or id_type in the governance files',
        data: { subject: subject.name, idType: subject.idType },
      },
    );
  });
}
