import { tryBind } from '../../../src/erasure/bind.ts';
import type { BoundStep } from '../../../src/erasure/bound-plan.ts';
import type { Plan, Step } from '../../../src/erasure/plan/index.ts';
import { compileSql } from '../../../src/predicate/index.ts';
import { jobNameOf } from './events/index.ts';
import { canRun } from './generate/build.ts';
import { type Lake, warehouseOn } from './lake.ts';
import { type Pipeline, type Run, readsOf, type Shape } from './pipeline.ts';
import { statementSql } from './tagged-sql.ts';
import { bitOf, governance, SOURCES } from './world.ts';

/** What was wrong with what the plan did to one table. */
export interface Fault {
  readonly kind: /** A row without a value of the person was deleted. */
    | 'wrong-delete'
    /** A row that mixes the person with others was deleted. */
    | 'mixed-delete'
    /** A value of the person is left where the plan deleted or rebuilt. */
    | 'left'
    /** A table with a value of the person is in no step, and nobody reported it. */
    | 'missed'
    /** A rebuild by the job that the plan names throws away what other statements wrote. */
    | 'lost-rows';
  readonly table: string;
  readonly rows: number;
}

/** What became of a derived table, or of a dataset that maps to none. */
export interface Outcome {
  readonly table: string;
  readonly action: Step['action'] | 'reported' | 'unmapped' | 'absent';
  /** Rows that hold a value of the person. */
  readonly rows: number;
}

export interface Judgement {
  readonly faults: readonly Fault[];
  readonly outcomes: readonly Outcome[];
  /** Binding refused the job: nothing was done. */
  readonly refused: boolean;
}

/** Runs a pipeline, carries out a plan and compares row by row; all of it is undone afterwards. */
export function judge(lake: Lake, pipeline: Pipeline, plan: Plan): Promise<Judgement> {
  return lake.trial(async () => {
    const done = pipeline.runs.filter(({ failed }) => !failed);
    await lake.run(done.map(({ statement, target }) => statementSql(statement, target)));
    return new Trial(lake, pipeline, plan).judge();
  });
}

/** What a table holds before anything is done to it. */
interface Census {
  readonly table: string;
  readonly held: number;
  readonly wrong: number;
  readonly mixed: number;
  readonly left: number;
}

class Trial {
  readonly #lake: Lake;
  readonly #pipeline: Pipeline;
  readonly #plan: Plan;
  readonly #bit: number;
  readonly #faults: Fault[] = [];

  constructor(lake: Lake, pipeline: Pipeline, plan: Plan) {
    this.#lake = lake;
    this.#pipeline = pipeline;
    this.#plan = plan;
    this.#bit = bitOf(pipeline.person);
  }

  async judge(): Promise<Judgement> {
    const { tables, person } = this.#pipeline;
    const { bound, refusals } = await tryBind({
      plan: this.#plan,
      ids: [BigInt(person)],
      warehouse: warehouseOn(this.#lake, tables),
      governance,
    });
    const steps = new Map(bound.steps.map((step) => [step.step.table, step]));
    const census = await this.#census(tables, steps);
    const outcomes = census.map(({ table, held }): Outcome => {
      const action = steps.get(table)?.step.action ?? (this.#reported(table) ? 'reported' : 'absent');
      return { table, action, rows: held };
    });
    for (const { name } of this.#plan.unmapped) outcomes.push({ table: name, action: 'unmapped', rows: 0 });
    if (refusals.length > 0) return { faults: [], outcomes, refused: true };
    for (const { table, held, wrong, mixed, left } of census) {
      // A table that nobody accounts for stops the erasure: its step is not taken.
      if (this.#reported(table)) continue;
      if (!steps.has(table)) this.#fault('missed', table, held);
      this.#fault('wrong-delete', table, wrong);
      this.#fault('mixed-delete', table, mixed);
      this.#fault('left', table, left);
    }
    await this.#rebuildAll(bound.steps);
    return { faults: this.#faults, outcomes, refused: false };
  }

  /** Counts in one query, for all derived tables, the person's rows and what a delete would take and leave. */
  async #census(tables: readonly Shape[], steps: ReadonlyMap<string, BoundStep>): Promise<readonly Census[]> {
    if (tables.length === 0) return [];
    const counts = tables.map((shape) => {
      const who = tagOf(shape);
      const step = steps.get(shape.table);
      const where = step?.step.action === 'delete' ? compileSql(step.where.reveal(), 'duckdb') : null;
      const hit = where === null ? 'FALSE' : `coalesce(${where}, FALSE)`;
      const theirs = `${who} & ${this.#bit} <> 0`;
      const filters = [
        this.#heldSql(shape),
        `${hit} AND NOT ${theirs}`,
        `${hit} AND ${theirs} AND ${who} <> ${this.#bit}`,
        where === null ? 'FALSE' : `NOT ${hit} AND (${this.#heldSql(shape)})`,
      ].map((filter) => `count(*) FILTER (${filter})::INTEGER`);
      return `SELECT '${shape.table}', ${filters.join(', ')} FROM ${shape.table}`;
    });
    const rows = (await this.#lake.rows(counts.join(' UNION ALL '))) as [
      string,
      number,
      number,
      number,
      number,
    ][];
    return rows.map(([table, held, wrong, mixed, left]) => ({ table, held, wrong, mixed, left }));
  }

  /**
   * Runs the jobs that the plan rebuilds with. Before that, everything else is erased by its tags: deletes have been judged, and
   * what waits for a decision gets the right one, so that a rebuild is held to its own word only.
   */
  async #rebuildAll(steps: readonly BoundStep[]): Promise<void> {
    const { tables, views } = this.#pipeline;
    const rebuilt = steps.filter(({ step }) => step.action === 'rebuild').map(({ step }) => step);
    if (rebuilt.length === 0) return;
    const stored = [...SOURCES, ...tables];
    const shapes = new Map([...stored, ...views].map((shape) => [shape.table, shape]));
    const work: string[] = [];
    const erase = (shape: Shape): void =>
      void work.push(`DELETE FROM ${shape.table} WHERE ${tagOf(shape)} & ${this.#bit} <> 0`);
    for (const shape of stored) if (!rebuilt.some(({ table }) => table === shape.table)) erase(shape);
    const made: Shape[] = [];
    for (const step of rebuilt) {
      const run = this.#runToRepeat(step);
      // A job whose inputs have changed their shape since fails when it runs: the erasure stops there and says so.
      if (run === undefined || !canRun(run, shapes)) erase(shapes.get(step.table)!);
      else {
        work.push(statementSql(run.statement, run.target));
        shapes.set(step.table, run.target);
        made.push(run.target);
      }
    }
    await this.#lake.run(work);
    for (const { table, held } of await this.#census(made, new Map()))
      if (!this.#reported(table)) this.#fault('left', table, held);
  }

  /** The last run by which the named job made the whole table; what others wrote to it since would be lost. */
  #runToRepeat({ table, job }: Step): Run | undefined {
    const { flavour, runs } = this.#pipeline;
    const done = runs.filter(({ target, failed }) => target.table === table && !failed);
    const whole = done.findLast(
      (run) => ['create', 'overwrite'].includes(run.statement.kind) && jobNameOf(flavour, run) === job,
    );
    const later = whole === undefined ? done : done.slice(done.indexOf(whole) + 1);
    const added = later.filter(({ statement }) => !['drop', 'truncate', 'delete'].includes(statement.kind));
    // What a partial pipeline does not say, no plan can know.
    if (flavour !== 'partial' && !this.#reported(table)) this.#fault('lost-rows', table, added.length);
    return whole;
  }

  /** SQL: whether a row holds a value of the person, by tag or by their mark in a text. */
  #heldSql(shape: Shape): string {
    const texts = shape.columns
      .filter(({ type }) => type === 'string')
      .map(({ name }) => `coalesce("${name}" ILIKE '%p${this.#pipeline.person}:%', FALSE)`);
    return [`${tagOf(shape)} & ${this.#bit} <> 0`, ...texts].join(' OR ');
  }

  /** The table, or one that it is made from, is named as unaccounted for: the erasure stops until people have answered. */
  #reported(table: string): boolean {
    const seen = new Set<string>();
    const queue = [table];
    for (const at of queue) {
      if (seen.has(at)) continue;
      seen.add(at);
      if (this.#isUnaccounted(at)) return true;
      for (const { statement, target, failed } of this.#pipeline.runs)
        if (target.table === at && !failed) queue.push(...readsOf(statement));
    }
    return false;
  }

  /** Named itself, or written by a job that is named for reading people and saying nothing of where they went. */
  #isUnaccounted(table: string): boolean {
    return this.#plan.unaccounted.some(({ name, kind }) =>
      kind === 'table'
        ? name === table
        : this.#pipeline.runs.some(
            ({ job, target }) => target.table === table && (name === job || name.startsWith(`${job}.`)),
          ),
    );
  }

  #fault(kind: Fault['kind'], table: string, rows: number): void {
    if (rows > 0) this.#faults.push({ kind, table, rows });
  }
}

/** SQL: everyone who is in a row. */
function tagOf({ columns }: Shape): string {
  return `(${columns.map(({ name }) => `"${name}#"`).join(' | ')})`;
}
