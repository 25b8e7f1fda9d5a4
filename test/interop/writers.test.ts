import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { isClean } from '../../src/erasure/job/index.ts';
import type { CanonicalRow } from './engines/canonical.ts';
import type { Engine, EngineName } from './matrix/engine.ts';
import { erasePerson, governanceOf, letheOn } from './matrix/erasure.ts';
import { FEATURES, PERSON } from './matrix/features.ts';
import { type LakeKind, makeLake } from './matrix/lake.ts';
import { pyicebergOn } from './matrix/pyiceberg.ts';
import { sparkOn } from './matrix/spark.ts';
import { trinoOn } from './matrix/trino.ts';

/** A first install of everything is within it. */
const INSTALL_MS = 1_200_000;

const APPENDS = 12;

/** Rows of others, appended while the person is erased. */
const appended = (at: number): CanonicalRow => [
  String(1000 + at),
  String(10_000 + at),
  `new${at}@example.org`,
  ...FEATURES.v2.columns.slice(3).map(() => null),
];

/** Appends one row after another; what an engine gives up after its own tries is tried again, as its users do. */
async function appendAll(engine: Engine, table: string): Promise<number> {
  let conflicts = 0;
  for (let at = 0; at < APPENDS; at++) {
    for (let tries = 0; ; tries++) {
      try {
        await engine.append(table, 'v2', appended(at));
        break;
      } catch (error) {
        if (
          tries === 20 ||
          !/CommitFailed|ICEBERG_COMMIT_ERROR|ValidationException|has changed|conflict|locked/i.test(
            String(error),
          )
        )
          throw error;
        conflicts++;
      }
    }
  }
  return conflicts;
}

const OPEN = { spark: sparkOn, trino: trinoOn, pyiceberg: pyicebergOn };

const CASES: readonly (readonly [EngineName, LakeKind])[] = [
  ['spark', 'quiet'],
  ['trino', 'quiet'],
  ['pyiceberg', 'quiet'],
  ['spark', 'sql'],
  ['trino', 'sql'],
  ['pyiceberg', 'sql'],
  ['pyiceberg', 'sqlite'],
];

test.each(CASES)(
  '%s appends through a catalog (%s) while Lethe erases: neither loses a row',
  async (name, kind) => {
    const lake = await makeLake(kind, `busy_${kind}`, kind === 'sqlite' ? 'local' : 's3');
    const pyiceberg = await pyicebergOn(lake);
    const engine = await OPEN[name](lake);
    const table = `busy_${name}.people`;
    await engine.write('v2', table);
    const warehouse = await letheOn(lake);
    const governance = governanceOf(await warehouse.list());
    const appending = appendAll(engine, table);
    // Files that a commit in flight has written are young: the sweep has to leave them.
    const erasing = (async () => {
      const folder = await mkdtemp(join(inject('data'), 'job-'));
      return erasePerson({ warehouse, governance, folder, minAgeMs: 600_000 });
    })();
    const [evidence] = await Promise.all([erasing, appending]);
    expect(evidence.tables.find((one) => one.table === table)?.rows).toBe(2);

    // With the writer done, a second job takes the files that were too young for the first.
    const folder = await mkdtemp(join(inject('data'), 'job-'));
    const after = await erasePerson({ warehouse, governance, folder, request: 'erasure-0002' });
    expect(isClean(after)).toBe(true);
    await warehouse.close();

    const ids = (await pyiceberg.read(table)).map(([id]) => id);
    const kept = FEATURES.v2.written.filter(([, customer]) => customer !== String(PERSON.customer));
    const wanted = [...kept, ...Array.from({ length: APPENDS }, (_, at) => appended(at))].map(([id]) => id);
    expect([...ids].sort()).toEqual([...wanted].sort());
    await engine.maintain(table);
  },
  INSTALL_MS,
);
