import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compare, equals, evaluate, isNull } from '../../../src/predicate/index.ts';
import { field, long, text } from './build.ts';
import { drain, failure, type Laboratory, tableOf } from './laboratory.ts';
import { PEOPLE, people } from './people.ts';
import { predicates } from './predicates.ts';
import { type Cell, type Row, rowsTable } from './rows.ts';

/** A predicate means the same to the plane as on Arrow. */
export function conditions(lab: Laboratory): void {
  describe('conditions', () => {
    test('mean what they mean on Arrow: count, read and change agree with evaluate', async () => {
      const { table, files, target } = await lab.write(PEOPLE, [people(0, 20), people(20, 40)]);
      const arrow = rowsTable(PEOPLE, people(0, 40));
      await fc.assert(
        fc.asyncProperty(predicates, async (where) => {
          const truth = people(0, 40).filter((_, index) => evaluate(where, arrow)[index]);
          expect(await lab.plane.count(table, files, where)).toBe(truth.length);
          // Files are read side by side, so rows keep their order inside a file only.
          expect(inOrder(await lab.readAll(table, files, where))).toEqual(inOrder(truth));
          const result = await lab.plane.change(table, files, { delete: where }, target);
          expect(result.rowsDeleted).toBe(truth.length);
        }),
        { seed: 2026, numRuns: 40 },
      );
    });

    test('give distinct tuples as literals, a null as null', async () => {
      const { table, files } = await lab.write(PEOPLE, [people(0, 20), people(5, 25)]);
      const found = new Set<string>();
      const columns = ['id', 'email', 'address.city'];
      for await (const tuple of lab.plane.distinct(table, files, columns, compare('id', '<', long(7))))
        found.add(JSON.stringify(tuple));
      const city = (address: Cell | undefined): string | null =>
        (address as { city: string | null } | null)?.city ?? null;
      const expected = people(0, 7).map(({ id, email, address }) =>
        JSON.stringify([
          long(id as bigint),
          email === null ? null : text(email as string),
          city(address) === null ? null : text(city(address)!),
        ]),
      );
      expect(found).toEqual(new Set(expected));
    });

    test('keep back a day that no literal can say', async () => {
      const { table, files } = await lab.write([field(1, 'born', 'date')], [[{ born: -2_000_000 }]]);
      const error = await failure(drain(lab.plane.distinct(table, files, ['born'])));
      expect(error).toMatchObject({ kind: 'refused', code: 'plane/no-literal', data: { column: 'born' } });
      expect(error.message).not.toMatch(/-?\d{4}/);
    });

    test('name the columns there are where one is not', async () => {
      const { table, files } = await lab.write(PEOPLE, [people(0, 2)]);
      const error = await failure(lab.plane.count(table, files, equals('shoe', text('4711'))));
      expect(error).toMatchObject({
        kind: 'input',
        code: 'plane/no-such-column',
        data: { column: 'shoe' },
      });
      expect(error.message).toContain('email');
      expect(error.message).not.toContain('4711');
    });

    test('see no rows in no files', async () => {
      const table = tableOf(PEOPLE);
      const { target } = await lab.place();
      expect(await lab.plane.count(table, [])).toBe(0);
      expect(await lab.readAll(table, [])).toEqual([]);
      const result = await lab.plane.change(table, [], { delete: isNull('email') }, target);
      expect(result).toEqual({ added: [], removed: [], rowsDeleted: 0, rowsCleared: 0 });
    });
  });
}

const inOrder = (rows: readonly Row[]): Row[] => [...rows].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
const keyOf = ({ email, joined, balance }: Row): string => [email, joined, balance].map(String).join(' ');
