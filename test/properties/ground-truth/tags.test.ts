import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from './generate/build.ts';
import { recipes } from './generate/recipe.ts';
import { Lake } from './lake.ts';
import { type Expr, type Pipeline, queryOf, type Run, tablesOf } from './pipeline.ts';
import { statementSql } from './tagged-sql.ts';
import { bitOf, SOURCES } from './world.ts';

// The truth that plans are judged by is itself checked here, by what needs no tags: marks in texts, and runs without a person.

let lake: Lake;
beforeAll(async () => {
  lake = await Lake.open();
});
afterAll(() => lake.close());

const PEOPLE = [1, 2, 3, 4, 5, 6, 7];

test('every text that shows the mark of a person is tagged with that person', async () => {
  let marked = 0;
  for (const recipe of fc.sample(recipes('faithful-typed'), { seed: 7, numRuns: 150 })) {
    const pipeline = build(recipe);
    await lake.trial(async () => {
      await lake.run(sqlOf(pipeline));
      for (const { table, columns } of pipeline.tables)
        for (const { name, type } of columns) {
          if (type !== 'string') continue;
          const shown = PEOPLE.map(
            (person) => `(CASE WHEN "${name}" ILIKE '%p${person}:%' THEN ${bitOf(person)} ELSE 0 END)`,
          ).join(' | ');
          const [row] = await lake.rows(
            `SELECT count(*) FILTER (shown <> 0)::INTEGER, count(*) FILTER (shown & "${name}#" <> shown)::INTEGER FROM (SELECT "${name}#", ${shown} AS shown FROM ${table})`,
          );
          marked += row![0] as number;
          expect(row![1]).toBe(0);
        }
    });
  }
  expect(marked).toBeGreaterThan(500);
});

test('rows without the tag of a person are the rows of a run without that person', async () => {
  let compared = 0;
  for (const recipe of fc.sample(recipes('faithful-typed'), { seed: 8, numRuns: 600 })) {
    const pipeline = build(recipe);
    if (pipeline.tables.length === 0 || !showsItsSources(pipeline)) continue;
    await lake.trial(async () => {
      const bit = bitOf(pipeline.person);
      await lake.run(sqlOf(pipeline));
      const kept = pipeline.tables.map(({ table, columns }, at) => {
        const who = columns.map(({ name }) => `"${name}#"`).join(' | ');
        return `CREATE TEMP TABLE kept_${at} AS SELECT ${list(columns)} FROM ${table} WHERE (${who}) & ${bit} = 0`;
      });
      const without = SOURCES.map(({ table, columns }) => {
        const who = columns.map(({ name }) => `"${name}#"`).join(' | ');
        return `DELETE FROM ${table} WHERE (${who}) & ${bit} <> 0`;
      });
      const drops = pipeline.tables.map(({ table }) => `DROP TABLE ${table}`);
      await lake.run([...kept, ...without, ...drops, ...sqlOf(pipeline)]);
      for (const [at, { table, columns }] of pipeline.tables.entries()) {
        const [row] = await lake.rows(
          `SELECT (SELECT count(*) FROM kept_${at})::INTEGER, (SELECT count(*) FROM (FROM kept_${at} EXCEPT ALL SELECT ${list(columns)} FROM ${table}))::INTEGER, (SELECT count(*) FROM (SELECT ${list(columns)} FROM ${table} EXCEPT ALL FROM kept_${at}))::INTEGER`,
        );
        compared += row![0] as number;
        // Where rows of several people become one, that one is made again without the person.
        expect(row![1], sqlOf(pipeline).join('\n')).toBe(0);
        if (!pipeline.runs.some(mixesRows)) expect(row![2], sqlOf(pipeline).join('\n')).toBe(0);
      }
    });
  }
  expect(compared).toBeGreaterThan(500);
});

/**
 * Whether a person who is not there takes exactly their own rows along: every table that is read shows in each row by a column
 * that is never null, and nothing depends on which other rows there are.
 */
function showsItsSources({ runs }: Pipeline): boolean {
  return runs.every(({ statement }) => {
    if (!['create', 'append', 'drop'].includes(statement.kind)) return false;
    return queryOf(statement).every(
      (select) =>
        select.semi === undefined &&
        select.joins.every(({ type }) => type === 'inner') &&
        tablesOf(select).every((_, at) => select.outputs.some(({ expr }) => isNeverNull(expr, at))) &&
        select.outputs.every(({ expr }) => !['lag', 'row-number', 'count', 'count-rows'].includes(expr.kind)),
    );
  });
}

function mixesRows({ statement }: Run): boolean {
  return queryOf(statement).some(
    ({ groupBy, distinct, outputs }) =>
      groupBy !== undefined ||
      distinct ||
      outputs.some(({ expr }) => ['window-max', 'lookup'].includes(expr.kind)),
  );
}

const IDS: ReadonlySet<string> = new Set([
  'learner_id',
  'course_id',
  'enrollment_id',
  'review_id',
  'instructor_id',
]);

function isNeverNull(expr: Expr, at: number): boolean {
  return expr.kind === 'column' && expr.of.at === at && IDS.has(expr.of.column);
}

function sqlOf({ runs }: Pipeline): readonly string[] {
  return runs.filter(({ failed }) => !failed).map(({ statement, target }) => statementSql(statement, target));
}

function list(columns: readonly { readonly name: string }[]): string {
  return columns.map(({ name }) => `"${name}"`).join(', ');
}
