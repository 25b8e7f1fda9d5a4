import type { Governance } from '../../../governance/governance.ts';
import type { PlanModel } from '../model/model.ts';
import type { Reach } from '../model/reach.ts';
import type { DeclaredIds } from '../model/subject.ts';
import { type KeyClass, type KeyMatch, matchesIn, rowClass, subjectClasses } from './key-class.ts';

/** Bridges are followed this deep at most (rule L5b): each hop is one more thing that binding has to check. */
const DEEPEST_BRIDGE = 3;

/** The keys by which the person's rows can be found in each table that was reached. */
export interface TableKeys {
  /** The subject's own ids come first. */
  readonly classes: readonly KeyClass[];
  /** By the subject's own ids. */
  subject(table: number): readonly KeyMatch[];
  /** By the row keys of other tables that hold the person, the shortest way first. */
  bridges(table: number): readonly KeyMatch[];
}

/** What keys are sought with. */
export interface FindKeys {
  readonly model: PlanModel;
  readonly governance: Governance;
  readonly ids: DeclaredIds;
  readonly reach: Reach;
}

/** Finds the keys of every reached table: exact copies of the subject's ids, then bridges, breadth first (rules L5a and L5b). */
export function findKeys({ model, governance, ids, reach }: FindKeys): TableKeys {
  const subjects = subjectClasses(model, ids);
  const byName = (a: number, b: number): number => (model.tableNames[a]! < model.tableNames[b]! ? -1 : 1);
  const tables = [...reach.tables].sort(byName);
  const bySubject = new Map<number, readonly KeyMatch[]>();
  for (const table of tables)
    bySubject.set(
      table,
      subjects.flatMap((keyClass) => matchesIn(model, keyClass, table)),
    );

  const rowClasses: KeyClass[] = [];
  const byBridge = new Map<number, KeyMatch[]>();
  let holders = tables.filter((table) => bySubject.get(table)!.length > 0);
  const held = new Set(holders);
  for (let depth = 1; depth <= DEEPEST_BRIDGE && holders.length > 0; depth++) {
    const next: number[] = [];
    for (const holder of holders) {
      const keyClass = bridgeFrom(model, governance, holder, [...subjects, ...rowClasses]);
      if (keyClass === null) continue;
      rowClasses.push(keyClass);
      for (const table of [...keyClass.tables].sort(byName)) {
        if (table === holder || !reach.tables.has(table)) continue;
        const matches = matchesIn(model, keyClass, table);
        if (matches.length === 0) continue;
        byBridge.set(table, [...(byBridge.get(table) ?? []), ...matches]);
        if (!held.has(table)) {
          held.add(table);
          next.push(table);
        }
      }
    }
    holders = next;
  }
  return {
    classes: [...subjects, ...rowClasses],
    subject: (table) => bySubject.get(table) ?? [],
    bridges: (table) => byBridge.get(table) ?? [],
  };
}

/** The row key of a table that holds the person, unless it is no more than a copy of a key that is known already. */
function bridgeFrom(
  model: PlanModel,
  governance: Governance,
  table: number,
  known: readonly KeyClass[],
): KeyClass | null {
  if (model.real[table] === null) return null;
  const keyClass = rowClass(model, governance, table);
  const columns = keyClass?.declared[0]?.columns ?? [];
  const repeats = known.some(({ parts }) =>
    columns.every((column) => parts.some((part) => part.has(column))),
  );
  return repeats ? null : keyClass;
}
