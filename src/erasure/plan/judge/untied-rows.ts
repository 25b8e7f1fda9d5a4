import type { PlanModel } from '../model/model.ts';
import type { FoundCause } from './cause.ts';
import type { WriteView } from './write-view.ts';

/**
 * Inputs that give no value of a person and that no join ties to one that does: a branch of a union whose key, a constant or a
 * count, no edge shows. A delete by key could meet its rows.
 */
export function untiedRows(model: PlanModel, view: WriteView): readonly FoundCause[] {
  const tied = tiedTables(model, view);
  return view.inputs
    .filter(
      (input) =>
        input !== view.table &&
        !view.carrying.has(input) &&
        (!tied.has(input) || isReadTwice(model, view, input)),
    )
    .map((input) => ({
      code: 'uncovered-source',
      what: `rows of ${model.tableNames[input]!} came in, and nothing says under which key`,
    }));
}

/** A join ties one reading of it; the other may be the branch. */
function isReadTwice({ tableNames }: PlanModel, { write }: WriteView, input: number): boolean {
  const name = tableNames[input]!;
  return write.unlisted || write.repeated.includes(name) || write.mentioned.includes(name);
}

/** Tables that are joined, over others too, with one that carries the person: partners' columns have the same name. */
function tiedTables(model: PlanModel, { table, write, carrying, joins }: WriteView): ReadonlySet<number> {
  const tied = new Set(
    [...carrying.keys(), ...(write.rowLevel ? [table] : [])].filter((source) => joins.has(source)),
  );
  const named = (source: number): readonly string[] =>
    joins.get(source)!.map((column) => model.columnNames[column]!);
  for (let grown = true; grown; ) {
    grown = false;
    for (const other of joins.keys()) {
      const meets = [...tied].some(
        (source) => joins.size === 2 || named(source).some((name) => named(other).includes(name)),
      );
      if (tied.has(other) || !meets) continue;
      tied.add(other);
      grown = true;
    }
  }
  return tied;
}
