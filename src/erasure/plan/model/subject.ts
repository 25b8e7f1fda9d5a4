import { InputError } from '../../../errors.ts';
import type { Governance, Subject } from '../../../governance/governance.ts';
import { matchesGlob } from '../../../lineage/names/pattern.ts';
import type { PlanModel } from './model.ts';

/** Columns that together hold an id of the subject, one for each part of it. */
export interface IdColumns {
  readonly table: number;
  readonly columns: readonly number[];
  /** Declared by an `identifies` in metadata.toml, and not by its name. */
  readonly identifies: boolean;
}

/** The declared side of a plan: which columns hold ids of the subject, and where. */
export interface DeclaredIds {
  readonly subject: Subject;
  /** In tables that are loaded from outside, and wherever `identifies` says so: keys by declaration (rule L5a). */
  readonly keys: readonly IdColumns[];
  /** In tables built from others: the name alone, which lineage has to confirm. */
  readonly named: readonly IdColumns[];
  /** Both kinds, of one table. */
  in(table: number): readonly IdColumns[];
}

/**
 * The subject of a plan.
 *
 * @throws InputError `plan/no-such-subject`
 */
export function subjectOf(governance: Governance, name: string): Subject {
  const subject = governance.subjects.get(name);
  if (subject !== undefined) return subject;
  const known = [...governance.subjects.keys()];
  throw new InputError('plan/no-such-subject', `No subject named ${name} is declared`, {
    remedy:
      known.length === 0
        ? 'Declare it as [erasure.subjects.NAME] in retention.toml'
        : `Use one of: ${known.join(', ')}; or declare it in retention.toml`,
    data: { subject: name, known },
  });
}

/** Finds the id columns of a subject in the tables of the warehouse. */
export function declaredIds(
  model: PlanModel,
  governance: Governance,
  subject: Subject,
  loadedFromOutside: (table: number) => boolean,
): DeclaredIds {
  const keys: IdColumns[] = [];
  const named: IdColumns[] = [];
  const byTable = new Map<number, IdColumns[]>();
  for (const [table, real] of model.real.entries()) {
    if (real === null) continue;
    const here: IdColumns[] = [];
    byTable.set(table, here);
    const metadata = governance.metadata.get(real.table);
    for (const form of subject.idColumns) {
      const found = form.flatMap((name) => realColumn(model, table, name) ?? []);
      // A column that metadata gives to another kind of person is not this one's, whatever its name.
      const others = form.some((name) => {
        const identifies = metadata?.columns.get(name)?.identifies;
        return identifies !== undefined && identifies !== subject.name;
      });
      if (found.length !== form.length || others) continue;
      const ids = { table, columns: found, identifies: false };
      here.push(ids);
      if (loadedFromOutside(table)) keys.push(ids);
      else named.push(ids);
    }
    for (const [name, column] of metadata?.columns ?? []) {
      const number = column.identifies === subject.name ? realColumn(model, table, name) : undefined;
      if (number === undefined) continue;
      if (here.some((ids) => ids.columns.includes(number))) continue;
      const ids = { table, columns: [number], identifies: true };
      here.push(ids);
      keys.push(ids);
    }
  }
  return { subject, keys, named, in: (table) => byTable.get(table) ?? [] };
}

/**
 * Which tables are loaded from outside: nobody builds them from other tables of the warehouse, or `[sources]` says so
 * (rule L5a).
 */
export function loadedFromOutside(model: PlanModel, governance: Governance): (table: number) => boolean {
  const isLoaded = model.tableNames.map(
    (name, table) => declaredSource(governance, name) !== null || !isBuilt(model, table),
  );
  return (table) => isLoaded[table]!;
}

/** Whether some write of a table reads another one. */
function isBuilt(model: PlanModel, table: number): boolean {
  for (const write of model.writesOf[table]!)
    for (const input of model.inputsOf[write]!) if (input !== table && isTable(model, input)) return true;
  return false;
}

/** Who says that a table is loaded from outside, by `[sources]`; null where nobody does. */
export function declaredSource(governance: Governance, table: string): string | null {
  for (const [glob, who] of governance.names.sources) if (matchesGlob(glob, table)) return who;
  return null;
}

/** A table of the warehouse, or one that lineage builds from others and the warehouse does not list (a view). */
function isTable(model: PlanModel, table: number): boolean {
  return model.real[table] !== null || model.writesOf[table]!.length > 0;
}

/** The number of a warehouse table's own column of that name. */
function realColumn({ real, realColumns }: PlanModel, table: number, name: string): number | undefined {
  const place = real[table]!.columns.findIndex((column) => column.name === name);
  return place < 0 ? undefined : realColumns[table]![place];
}
