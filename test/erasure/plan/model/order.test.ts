import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlanModel } from '../../../../src/erasure/plan/model/model.ts';
import { dependencyOrder, rebuildOrder } from '../../../../src/erasure/plan/model/order.ts';

/** What a table is built from, and what its job reads when it runs again. */
interface Table {
  readonly name: string;
  readonly inputs: readonly number[];
  readonly rereads: readonly number[];
  readonly outside: boolean;
}

const TABLES = 7;
const numbers = fc.array(fc.nat(TABLES - 1), { maxLength: 2 });
const lake = fc.array(
  fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
    inputs: numbers,
    rereads: numbers,
    outside: fc.boolean(),
  }),
  { minLength: TABLES, maxLength: TABLES },
);

/** One write a table, all that an order looks at. */
function modelOf(tables: readonly Table[]): PlanModel {
  return {
    tableNames: tables.map(({ name }) => name),
    writesOf: tables.map((_, at) => [at]),
    inputsOf: tables.map(({ inputs }) => inputs),
    rereadsOf: tables.map(({ rereads }) => rereads),
    real: tables.map(({ outside }) => (outside ? { table: '', columns: [] } : null)),
  } as unknown as PlanModel;
}

type Feeds = (from: number, to: number) => boolean;

/** The same found the slow way: what reaches what, and then again and again the smallest name of those that wait for nothing. */
function expected(tables: readonly Table[], feeds: Feeds, waits: Feeds): readonly (readonly number[])[] {
  const all = [...tables.keys()];
  const reaches = all.map((from) => all.map((to) => feeds(from, to)));
  for (const via of all)
    for (const from of all)
      for (const to of all) reaches[from]![to] ||= reaches[from]![via]! && reaches[via]![to]!;
  const circle = (a: number, b: number): boolean => a === b || (reaches[a]![b]! && reaches[b]![a]!);
  const byName = all.sort((a, b) => tables[a]!.name.localeCompare(tables[b]!.name) || a - b);
  const circles = byName
    .map((table) => byName.filter((other) => circle(table, other)))
    .filter((each, at) => each[0] === byName[at]);
  const done: (readonly number[])[] = [];
  while (done.length < circles.length)
    done.push(
      circles.find(
        (each) =>
          !done.includes(each) &&
          circles.every(
            (other) =>
              other === each || done.includes(other) || !other.some((a) => each.some((b) => waits(a, b))),
          ),
      )!,
    );
  return done;
}

function check(order: ReturnType<typeof rebuildOrder>, circles: readonly (readonly number[])[]): void {
  const tables = circles.flat();
  expect(tables.map((table) => order.place(table))).toEqual([...tables.keys()]);
  for (const circle of circles)
    for (const table of circle) {
      expect(order.circle(table)).toBe(order.place(circle[0]!));
      expect(order.inCircle(table)).toBe(circle.length > 1);
    }
}

test('L5: tables are ordered by what builds what, circles together, then by name', () => {
  fc.assert(
    fc.property(lake, (tables) => {
      const feeds: Feeds = (from, to) =>
        from !== to && [...tables[to]!.inputs, ...tables[to]!.rereads].includes(from);
      const order = dependencyOrder(modelOf(tables), (table) => tables[table]!.outside);
      check(
        order,
        expected(tables, feeds, (from, to) => !tables[from]!.outside && feeds(from, to)),
      );
      for (const from of tables.keys())
        expect(new Set(order.feeds(from))).toEqual(
          new Set([...tables.keys()].filter((to) => feeds(from, to))),
        );
    }),
    { seed: 5, numRuns: 1000 },
  );
});

test('only tables that are rebuilt, and what is no table of the warehouse, are waited for by rebuilds', () => {
  fc.assert(
    fc.property(lake, fc.nat(TABLES - 1), (tables, rebuilt) => {
      const feeds: Feeds = (from, to) =>
        from !== to && (from === rebuilt || !tables[from]!.outside) && tables[to]!.rereads.includes(from);
      const order = rebuildOrder(modelOf(tables), (table) => table === rebuilt);
      check(order, expected(tables, feeds, feeds));
    }),
    { seed: 6, numRuns: 1000 },
  );
});
