import type { Run, RunOutput } from '../collect/run.ts';

/** The runs of one statement that wrote one table: a CREATE TABLE AS is two runs, all others are one. */
export interface Statement {
  readonly table: number;
  readonly parts: readonly Part[];
}

export interface Part {
  readonly run: Run;
  readonly output: RunOutput;
}

/**
 * Groups runs by statement and table (rule L1b: the union over sibling runs). Siblings have the same parent run and the same
 * SQL text, or one of them is known to be the second run of a statement and its time encloses the other's.
 */
export function statementsOf(runs: readonly Run[], tableOf: Int32Array): readonly Statement[] {
  const statements: Statement[] = [];
  const families = new Map<string, Part[]>();
  for (const run of runs) {
    for (const output of run.outputs) {
      const table = tableOf[output.dataset]!;
      if (run.parentRun === null) statements.push({ table, parts: [{ run, output }] });
      else {
        const family = `${table} ${run.parentRun}`;
        const known = families.get(family);
        if (known === undefined) families.set(family, [{ run, output }]);
        else known.push({ run, output });
      }
    }
  }
  for (const [family, parts] of families) {
    const table = Number(family.slice(0, family.indexOf(' ')));
    for (const group of groupSiblings(parts)) statements.push({ table, parts: group });
  }
  return statements;
}

function groupSiblings(parts: readonly Part[]): readonly (readonly Part[])[] {
  if (parts.length === 1) return [parts];
  const groups: Part[][] = [];
  const bySql = new Map<string, Part[]>();
  const wrappers: Part[] = [];
  for (const part of parts) {
    const { sql } = part.run;
    if (sql === null && part.output.statement.wrapper) wrappers.push(part);
    else if (sql === null) groups.push([part]);
    else {
      const group = bySql.get(sql);
      if (group !== undefined) group.push(part);
      else {
        const made = [part];
        bySql.set(sql, made);
        groups.push(made);
      }
    }
  }
  for (const wrapper of wrappers) {
    const inside = groups.find((group) => group.some((part) => encloses(wrapper.run, part.run)));
    if (inside === undefined) groups.push([wrapper]);
    else inside.push(wrapper);
  }
  return groups;
}

function encloses(outer: Run, inner: Run): boolean {
  if (outer.start === null || outer.end === null || inner.start === null || inner.end === null) return false;
  return outer.start <= inner.start && inner.end <= outer.end;
}
