import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Numbering } from '../../../../src/erasure/plan/model/numbering.ts';
import type { Lineage } from '../../../../src/lineage/index.ts';

const TABLES = 3;
const name = fc.constantFrom('id', 'ID', 'Id', 'name', 'NAME', 'a', 'b', 'c', 'é');
const columns = fc.uniqueArray(name, { maxLength: 6 });

/** Lineage that names some columns of some tables, in the order of their names as it is built, or in any other. */
function lineageOf(tables: readonly (readonly string[])[], sorted: boolean): Lineage {
  const named = tables.map((own) => (sorted ? [...own].sort() : own));
  return {
    columns: {
      tableNames: named.map((_, table) => `t${table}`),
      names: [...named.map(() => '*'), ...named.flat()],
      tables: Int32Array.from([...named.keys(), ...named.flatMap((own, table) => own.map(() => table))]),
    },
  } as unknown as Lineage;
}

test('hazard 30: the columns of a table are those of the lineage by name, or the only one that differs in case alone', () => {
  fc.assert(
    fc.property(
      fc.array(columns, { minLength: TABLES, maxLength: TABLES }),
      fc.boolean(),
      fc.array(columns, { minLength: TABLES + 1, maxLength: TABLES + 1 }),
      (known, sorted, real) => {
        const numbering = new Numbering(lineageOf(known, sorted));
        for (const [table, own] of real.entries()) {
          const number = numbering.table(`t${table}`);
          const found = numbering.real(
            number,
            own.map((column) => ({ name: column })),
          );
          const before = known[table] ?? [];
          for (const [place, column] of own.entries()) {
            // By hand: the same name, else the only free one in other letters, else a new column.
            const free = before.filter((other) => !own.includes(other));
            const near = free.filter((other) => other.toLowerCase() === column.toLowerCase());
            const first = own.find(
              (other) => other.toLowerCase() === column.toLowerCase() && !before.includes(other),
            );
            const isKnown = before.includes(column) || (near.length === 1 && first === column);
            expect(found[place]! < TABLES + known.flat().length).toBe(isKnown);
            expect(numbering.columnNames[found[place]!]).toBe(column);
            expect(numbering.columnTables[found[place]!]).toBe(number);
            expect(numbering.columns.find(number, column)).toBe(found[place]);
          }
          expect(new Set(found).size).toBe(own.length);
          const listed = [...numbering.columns.of(number)];
          expect(new Set(listed).size).toBe(listed.length);
          expect([...found].every((column) => listed.includes(column))).toBe(true);
          expect(listed).not.toContain(numbering.wholes.get(number));
        }
      },
    ),
    { seed: 24, numRuns: 300 },
  );
});
