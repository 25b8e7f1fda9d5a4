import { InputError, LetheError, RefusedError } from '../errors.ts';
import type { Governance, Subject } from '../governance/governance.ts';
import { and, or, type TypedColumn } from '../predicate/index.ts';
import { Private } from '../values/private.ts';
import type { Tuple, Warehouse } from '../warehouse/warehouse.ts';
import { hasSpellings, type IdSet, idTuples, recast, spelledTuples } from './bind-column.ts';
import { canonicalIds, type GivenId } from './bind-ids.ts';
import type { BoundKey, BoundPlan, BoundStep } from './bound-plan.ts';
import { pastValues } from './past-values.ts';
import type { Match, Plan, Step } from './plan/plan.ts';
import type { StepRefusal } from './refusal.ts';
import { isWhole, tupleIn } from './tuple-predicate.ts';

export interface BindOptions {
  readonly plan: Plan;
  /** The ids of one request: one person or thousands; a composite id is an array of its parts. */
  readonly ids: readonly GivenId[];
  readonly warehouse: Pick<Warehouse, 'describe' | 'count' | 'distinct'>;
  readonly governance: Governance;
}

/** A bound plan together with what stands in the way; the job refuses on any of it, but can still look for the person. */
export interface Binding {
  readonly bound: BoundPlan;
  readonly refusals: readonly StepRefusal[];
}

/**
 * Resolves every id of a request and every bridge value of its plan, before anything is deleted (rule L7): ids in the form
 * of each column's type, and the ids of the people's rows by which derived tables hold copies. One predicate for each step
 * then finds the rows of all of them.
 *
 * Throws `erasure/no-such-subject`, `erasure/no-ids`, `erasure/id-parts`, `erasure/id-type`; and as a {@link RefusedError}
 * with all such tables in `data.tables` what {@link tryBind} collects. No error shows a value.
 */
export async function bindPlan(options: BindOptions): Promise<BoundPlan> {
  const { bound, refusals } = await tryBind(options);
  const first = refusals[0];
  if (first === undefined) return bound;
  throw new RefusedError(`erasure/${first.code}`, `${first.table}: ${first.reason}`, {
    remedy: first.remedy,
    data: { tables: refusals },
  });
}

/**
 * The same, with what stands in the way collected: a table or column that is gone (`missing-table`, `missing-column`), a
 * column that cannot hold an id (`id-type`), no id with the parts of a match (`id-parts`), a bridge value that stands in a
 * row of nobody or of someone else (rule L6, `shared-bridge`), or is null (`null-bridge`).
 */
export async function tryBind({ plan, ids, warehouse, governance }: BindOptions): Promise<Binding> {
  const subject = subjectOf(governance, plan.subject);
  const canonical = canonicalIds(subject, ids);
  const binder = new Binder({ plan, ids: canonical, subject, warehouse });
  const steps: BoundStep[] = [];
  for (const step of plan.steps) steps.push(await binder.bind(step));
  return { bound: { plan, ids: new Private(canonical), steps }, refusals: binder.refusals };
}

function subjectOf(governance: Governance, name: string): Subject {
  const subject = governance.subjects.get(name);
  if (subject !== undefined) return subject;
  throw new InputError('erasure/no-such-subject', `No kind of subject ${JSON.stringify(name)} is declared`, {
    remedy: `Declare [erasure.subjects.${name}], or name one of: ${[...governance.subjects.keys()].join(', ')}`,
    data: { subject: name },
  });
}

/** True for the rows that any of the keys finds. */
export function anyOf(keys: readonly BoundKey[]): BoundStep['where'] {
  return new Private(or(...keys.map((key) => tupleIn(key.columns, key.values.reveal()))));
}

/** Binds step by step, each once, a bridge's own table before the tables that it leads to. */
class Binder {
  readonly refusals: StepRefusal[] = [];
  readonly #plan: Plan;
  readonly #subject: Subject;
  readonly #ids: readonly (readonly string[])[];
  readonly #warehouse: BindOptions['warehouse'];
  readonly #bound = new Map<string, BoundStep>();
  readonly #binding = new Set<string>();
  readonly #bridges = new Map<string, Promise<readonly Tuple[]>>();

  constructor(given: {
    plan: Plan;
    ids: readonly (readonly string[])[];
    subject: Subject;
    warehouse: BindOptions['warehouse'];
  }) {
    this.#plan = given.plan;
    this.#ids = given.ids;
    this.#subject = given.subject;
    this.#warehouse = given.warehouse;
  }

  async bind(step: Step): Promise<BoundStep> {
    const known = this.#bound.get(step.table);
    if (known !== undefined) return known;
    this.#binding.add(step.table);
    const bound = await this.#bindStep(step);
    this.#binding.delete(step.table);
    this.#bound.set(step.table, bound);
    return bound;
  }

  async #bindStep(step: Step): Promise<BoundStep> {
    const keys = await this.#keys(step, step.match);
    const bound = { step, keys, where: anyOf(keys) };
    if (step.clearBy === undefined) return bound;
    const clearKeys = await this.#keys(step, step.clearBy);
    return { ...bound, clearKeys, clears: anyOf(clearKeys) };
  }

  async #keys(step: Step, matches: readonly Match[]): Promise<readonly BoundKey[]> {
    const columns = matches.length === 0 ? null : await this.#columns(step.table);
    const keys: BoundKey[] = [];
    for (const match of columns === null ? [] : matches) {
      const values = await this.#values(step, match, columns!);
      keys.push({ columns: match.columns, values: new Private(values) });
    }
    return keys;
  }

  async #values(step: Step, match: Match, table: ReadonlyMap<string, string>): Promise<readonly Tuple[]> {
    const columns = match.columns.flatMap((name): TypedColumn[] => {
      const type = table.get(name);
      return type === undefined ? [] : [{ name, type }];
    });
    if (columns.length < match.columns.length) {
      const missing = match.columns.filter((name) => !table.has(name));
      return this.#refuse(step.table, 'missing-column', {
        reason: `the plan matches by ${missing.join(', ')}, which the table does not have`,
        remedy: 'Make the plan again from the tables as they are now',
      });
    }
    return match.values.from === 'subject'
      ? this.#idValues(step.table, columns)
      : this.#bridgeValues(step.table, columns, match.values);
  }

  async #idValues(table: string, columns: readonly TypedColumn[]): Promise<readonly Tuple[]> {
    const ids: IdSet = {
      type: this.#subject.idType,
      ids: this.#ids.filter((id) => id.length === columns.length),
    };
    const names = columns.map((column) => column.name).join(', ');
    if (ids.ids.length === 0) {
      return this.#refuse(table, 'id-parts', {
        reason: `it is matched by ${names}, and no id of the request has ${columns.length} part(s)`,
        remedy: 'Give the ids of the same people in this form too',
      });
    }
    if (hasSpellings(columns, ids.type)) {
      return spelledTuples({ warehouse: this.#warehouse, table, columns, ids });
    }
    return (
      idTuples(columns, ids) ??
      this.#refuse(table, 'id-type', {
        reason: `an id of the request cannot stand in ${columns.map(({ name, type }) => `${name} (${type})`).join(', ')}`,
        remedy: 'Check the id, id_type in the governance files, and the type of the column',
      })
    );
  }

  async #bridgeValues(
    table: string,
    columns: readonly TypedColumn[],
    from: { readonly table: string; readonly columns: readonly string[] },
  ): Promise<readonly Tuple[]> {
    const values = await this.#bridge(from.table, from.columns);
    const tuples = values.map((tuple) => tuple.map((part, index) => recast(part!, columns[index]!.type)));
    if (tuples.every(isWhole)) return tuples;
    return this.#refuse(table, 'id-type', {
      reason: `a value of ${from.table} (${from.columns.join(', ')}) cannot stand in ${columns.map(({ name, type }) => `${name} (${type})`).join(', ')}`,
      remedy: 'The column is no exact copy: correct its lineage, or decide in [erasure.decisions]',
    });
  }

  /** The values of `columns` in the person's rows of `table`, read once however many tables they lead to. */
  #bridge(table: string, columns: readonly string[]): Promise<readonly Tuple[]> {
    const name = JSON.stringify([table, ...columns]);
    const known = this.#bridges.get(name);
    if (known !== undefined) return known;
    const reading = this.#readBridge(table, columns);
    this.#bridges.set(name, reading);
    return reading;
  }

  async #readBridge(table: string, columns: readonly string[]): Promise<readonly Tuple[]> {
    const step = this.#plan.steps.find((each) => each.table === table);
    if (step === undefined || (await this.#columns(table)) === null) {
      return this.#refuse(table, 'missing-table', {
        reason: 'the plan follows rows of this table, and it is not there',
        remedy: 'Make the plan again from the tables as they are now',
      });
    }
    if (this.#binding.has(table)) {
      return this.#refuse(table, 'bridge-cycle', {
        reason: 'the plan finds the rows of this table by values of its own copies',
        remedy: 'Correct the plan: a bridge starts at a table that is matched by ids',
      });
    }
    const where = (await this.bind(step)).where.reveal();
    const values: Tuple[] = [];
    let incomplete = false;
    for await (const tuple of this.#warehouse.distinct(table, columns, where)) {
      if (isWhole(tuple)) values.push(tuple);
      else incomplete = true;
    }
    if (incomplete) {
      this.#refuse(table, 'null-bridge', {
        reason: `a row of the person has no value in ${columns.join(', ')}, by which its copies are found`,
        remedy: 'Give the row a value, or decide in [erasure.decisions] how its copies go',
      });
    }
    await this.#checkUnshared(table, columns, { values, where });
    return [...values, ...(await pastValues(this.#warehouse, table, { columns, where, values }))];
  }

  /** Rule L6: a bridge value in any other row, of someone else or of nobody, would take that row's copies too. */
  async #checkUnshared(
    table: string,
    columns: readonly string[],
    { values, where }: { values: readonly Tuple[]; where: ReturnType<typeof or> },
  ): Promise<void> {
    if (values.length === 0) return;
    const holding = tupleIn(columns, values);
    // Counted, not negated: a row whose id is NULL is neither theirs nor provably someone else's.
    const all = await this.#warehouse.count(table, holding);
    const theirs = await this.#warehouse.count(table, and(holding, where));
    if (all === theirs) return;
    this.#refuse(table, 'shared-bridge', {
      reason: `${all - theirs} row(s) of others share a value of ${columns.join(', ')} with the person`,
      remedy: `Make ${columns.join(', ')} name one row, or decide in [erasure.decisions] for the tables copied from here`,
    });
  }

  /** Column to type; null, and refused once, where the table is not there. */
  async #columns(table: string): Promise<ReadonlyMap<string, string> | null> {
    try {
      const { columns } = await this.#warehouse.describe(table);
      return new Map(columns.map((column) => [column.name, column.type]));
    } catch (error) {
      if (!(error instanceof LetheError) || error.code !== 'warehouse/no-such-table') throw error;
      this.#refuse(table, 'missing-table', {
        reason: 'the plan names this table, and the warehouse has none of that name',
        remedy: 'Make the plan again from the tables as they are now',
      });
      return null;
    }
  }

  /** Records a refusal once and binds nothing in its place. */
  #refuse(table: string, code: string, detail: { reason: string; remedy: string }): readonly Tuple[] {
    if (
      !this.refusals.some(
        (known) => known.table === table && known.code === code && known.reason === detail.reason,
      )
    ) {
      this.refusals.push({ table, code, ...detail });
    }
    return [];
  }
}
