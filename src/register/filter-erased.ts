import type { Table } from 'apache-arrow';
import { InputError } from '../errors.ts';
import type { Subject } from '../governance/governance.ts';
import { keepRows } from '../predicate/keep-rows.ts';
import type { ErasedAnswer } from './erased-people.ts';
import { idReader } from './id-reader.ts';
import type { Register } from './register.ts';

export interface FilterErasedOptions {
  /** Whose ids the columns hold: `governance.subjects.get('learner')`. */
  readonly subject: Subject;
  /** Columns that hold ids, a composite id as a list of them; the subject's id columns that the table has if left out. */
  readonly columns?: readonly (string | readonly string[])[];
}

export interface Filtered {
  readonly table: Table;
  readonly dropped: number;
  /** The requests that erased the people whose rows were dropped. */
  readonly requests: readonly string[];
  /** Rows whose id is no id of the subject's type: kept, and to be looked at. */
  readonly notIds: number;
}

/**
 * Drops the rows of erased people from a load, and counts them (rule G2). A row goes where any of the id columns names an
 * erased person; a row without an id stays. No data is copied: the result is made of slices.
 *
 * Throws `register/no-id-column` where the table has none of the columns: a load that cannot be checked must not pass.
 *
 * @example
 * ```ts
 * const { table, dropped } = await filterErased(register, load, { subject: governance.subjects.get('learner')! });
 * ```
 */
export async function filterErased(
  register: Register,
  table: Table,
  { subject, columns }: FilterErasedOptions,
): Promise<Filtered> {
  const readers = idReaders(table, subject, columns);
  const erased = await register.erased();
  const answers = new Map<string, ErasedAnswer>();
  const requests = new Set<string>();
  const kept: boolean[] = [];
  let notIds = 0;
  for (let row = 0; row < table.numRows; row += 1) {
    let theirs = false;
    let strange = false;
    for (const reader of readers) {
      const parts = reader.map((read) => read(row));
      if (parts.some((part) => part === null || part === undefined)) continue;
      // Equal ids are hashed once, whatever the number of their rows (rule G5).
      const name = parts.map((part) => `${typeof part}:${String(part)}`).join('\0');
      const answer = answers.get(name) ?? erased.ask(subject, parts);
      answers.set(name, answer);
      if (answer.kind === 'no-id') strange = true;
      if (answer.kind !== 'erased') continue;
      theirs = true;
      for (const request of answer.requests) requests.add(request);
    }
    if (strange) notIds += 1;
    kept.push(!theirs);
  }
  const left = keepRows(table, kept);
  return {
    table: left,
    dropped: table.numRows - left.numRows,
    requests: [...requests].sort(),
    notIds,
  };
}

type Read = NonNullable<ReturnType<typeof idReader>>;

function idReaders(
  table: Table,
  subject: Subject,
  columns: FilterErasedOptions['columns'],
): readonly (readonly Read[])[] {
  const groups = (columns ?? subject.idColumns).map((group) => (typeof group === 'string' ? [group] : group));
  const readers = groups.map((group) => group.map((name) => idReader(table, name)));
  const whole = readers.flatMap((group) => {
    const reads = group.filter((read) => read !== null);
    return reads.length === group.length ? [reads] : [];
  });
  if (whole.length > 0 && (columns === undefined || whole.length === groups.length)) return whole;
  const lacking = groups
    .filter((_, index) => readers[index]!.includes(null))
    .map((group) => group.join(', '));
  throw new InputError('register/no-id-column', `The load has no column ${lacking.join(' and no ')}`, {
    remedy: 'Name the columns that hold the ids: a load that cannot be checked must not pass',
    data: { columns: lacking, there: table.schema.fields.map((field) => field.name) },
  });
}
