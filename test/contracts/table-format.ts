import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { compare } from '../../src/predicate/index.ts';
import type { Storage } from '../../src/storage/storage.ts';
import type { Catalog } from '../../src/warehouse/catalog.ts';
import { type DataFile, fileKey } from '../../src/warehouse/data-file.ts';
import type { FormatAttempt, TableFormat, TableState } from '../../src/warehouse/table-format.ts';
import { filesUnder } from '../support/manifests.ts';
import { NO_METRICS } from './data-plane/build.ts';

/** A format with an empty catalog of its tables in a folder of this machine. */
export interface TableFormatUnderTest {
  readonly format: TableFormat;
  readonly catalog: Catalog;
  readonly storage: Storage;
  readonly folder: string;
  close(): Promise<void>;
}

const TABLE = 'crm.learners';
const COLUMNS = [{ name: 'id', type: 'long' }];
/** A data plane that can do all there is to do. */
const PLANE = {
  types: ['long'],
  formats: ['parquet'],
  deletes: ['position-deletes', 'equality-deletes', 'deletion-vectors'],
};

/** What every table format promises: it says what to commit, writes metadata alone, and leaves nothing of what was not committed. */
export function tableFormatContract(name: string, open: () => Promise<TableFormatUnderTest>): void {
  describe(`${name} as a table format`, () => {
    let at: TableFormatUnderTest;
    beforeEach(async () => {
      at = await open();
      const location = (await at.catalog.defaultLocation(TABLE))!;
      await at.catalog.create(TABLE, at.format.create(TABLE, { columns: COLUMNS }, location));
    });
    afterEach(() => at.close());

    const newest = async (): Promise<TableState> => at.format.open(await at.catalog.load(TABLE));
    /** A data file that nobody reads, at a place that the attempt hands out. */
    const dataFile = async (attempt: FormatAttempt, state: TableState): Promise<DataFile> => {
      const location = attempt.next('parquet');
      await mkdir(dirname(location), { recursive: true });
      await writeFile(location, 'rows');
      const specId = state.planeTable().partitioning?.id ?? 0;
      const place = { content: 'data', location, format: 'parquet', specId, partition: [] } as const;
      return { ...place, recordCount: 5n, fileSize: 4n, metrics: NO_METRICS };
    };
    const add = async (count: number): Promise<readonly DataFile[]> => {
      const state = await newest();
      const attempt = await at.format.begin(state);
      const added: DataFile[] = [];
      for (let file = 0; file < count; file += 1) added.push(await dataFile(attempt, state));
      await at.catalog.commit(TABLE, await attempt.stageRows(state, { added, removed: new Set(), note: {} }));
      await attempt.won();
      return added;
    };
    const locations = async (state: TableState): Promise<readonly string[]> =>
      (await state.files({})).map(({ file }) => file.location).sort();

    test('an empty table has no file and no snapshot, and can be changed', async () => {
      const state = await newest();
      expect(await state.describe(PLANE)).toMatchObject({
        ...{ table: TABLE, rows: 0, dataFiles: 0, deleteFiles: 0, currentSnapshotId: null, refusals: [] },
        columns: [{ name: 'id', type: 'long' }],
      });
      expect([await state.files({}), await state.deleteFiles(), await state.bounds()]).toEqual([[], [], []]);
      expect(() => state.assertAllowed('change')).not.toThrow();
    });

    test('files come and go in one commit, with what the note says; a state that was opened stays what it was', async () => {
      const before = await newest();
      const [first, second] = await add(2);
      const state = await newest();
      expect(await locations(state)).toEqual([first!.location, second!.location].sort());
      expect(await locations(before)).toEqual([]);
      const attempt = await at.format.begin(state);
      const third = await dataFile(attempt, state);
      const change = { added: [third], removed: new Set([fileKey(first!)]), note: { why: 'request 1' } };
      const staged = await attempt.stageRows(state, change);
      expect(await locations(await newest())).toEqual(await locations(state));
      const after = at.format.open(await at.catalog.commit(TABLE, staged), state);
      await attempt.won();
      expect(await locations(after)).toEqual([second!.location, third.location].sort());
      const { rows, snapshots } = await after.describe(PLANE);
      expect([rows, snapshots.at(-1)]).toMatchObject([
        10,
        { id: staged.snapshotId, summary: { why: 'request 1' } },
      ]);
      const referenced = await after.referenced();
      for (const file of [first!, second!, third])
        expect(referenced).toContain(at.storage.normalize(file.location));
    });

    test('what was staged on a state that is not the newest any more is a conflict', async () => {
      const state = await newest();
      const attempt = await at.format.begin(state);
      const own = await dataFile(attempt, state);
      const staged = await attempt.stageRows(state, { added: [own], removed: new Set(), note: {} });
      const others = await add(1);
      await expect(at.catalog.commit(TABLE, staged)).rejects.toMatchObject({ code: 'catalog/conflict' });
      // The data file is kept for the next try; the metadata of the lost one goes.
      await attempt.again([own.location]);
      const next = await newest();
      const again = await attempt.stageRows(next, { added: [own], removed: new Set(), note: {} });
      await at.catalog.commit(TABLE, again);
      await attempt.won();
      const all = [...others, own].map(({ location }) => location).sort();
      expect(await locations(await newest())).toEqual(all);
      const referenced = await (await newest()).referenced();
      const left = (await filesUnder(at.folder)).map((file) => at.storage.normalize(at.folder + file));
      expect(left.filter((file) => !referenced.has(file))).toEqual([]);
    });

    test('an attempt that is lost leaves no file; one at work is known, and its files by their names', async () => {
      await add(1);
      const before = await filesUnder(at.folder);
      const state = await newest();
      const attempt = await at.format.begin(state);
      const own = await dataFile(attempt, state);
      await attempt.stageRows(state, { added: [own], removed: new Set(), note: {} });
      const isAtWork = await at.format.inProgress(state);
      expect(isAtWork(at.storage.normalize(own.location))).toBe(true);
      await attempt.lost();
      expect(await filesUnder(at.folder)).toEqual(before);
      expect((await at.format.inProgress(state))(at.storage.normalize(own.location))).toBe(false);
    });

    test('what a process was about to remove after its commit is removed by whoever comes next, and no file that is needed', async () => {
      const [kept, gone] = await add(2);
      const state = await newest();
      const attempt = await at.format.begin(state);
      await attempt.removing([kept!.location, gone!.location]);
      await at.catalog.commit(
        TABLE,
        await attempt.stageRows(state, { added: [], removed: new Set([fileKey(gone!)]), note: {} }),
      );
      attempt.left();
      const expiry = await (await newest()).stageExpiry({
        olderThan: Number.MAX_SAFE_INTEGER,
        minToKeep: 1,
        files: 'leave',
      });
      await at.catalog.commit(TABLE, expiry);
      const search = { reload: newest, unclaimed: async (files: ReadonlySet<string>) => files };
      const removed = await at.format.clearDeadAttempts(await newest(), search);
      expect(removed).toEqual([at.storage.normalize(gone!.location)]);
      expect(await at.format.clearDeadAttempts(await newest(), search)).toEqual([]);
    });

    test('expiry names the snapshots that end and the files that only they held; a scrub leaves no removed entry', async () => {
      const [gone] = await add(1);
      await add(1);
      const state = await newest();
      const attempt = await at.format.begin(state);
      await at.catalog.commit(
        TABLE,
        await attempt.stageRows(state, { added: [], removed: new Set([fileKey(gone!)]), note: {} }),
      );
      await attempt.won();
      const ending = { olderThan: Number.MAX_SAFE_INTEGER, minToKeep: 1, files: 'delete' } as const;
      const expiry = await (await newest()).stageExpiry(ending);
      expect(expiry.snapshots).toHaveLength(2);
      expect(expiry.onlyExpired).toContain(gone!.location);
      await at.catalog.commit(TABLE, expiry);
      const after = await newest();
      expect((await after.stageExpiry(ending)).updates).toEqual([]);
      for (const wanted of [1, 0]) {
        const now = await newest();
        const scrubbing = await at.format.begin(now);
        const scrub = await scrubbing.stageScrub(now, {});
        expect(scrub?.counts.entriesDropped ?? 0).toBe(wanted);
        if (scrub !== null) await at.catalog.commit(TABLE, scrub);
        await (scrub === null ? scrubbing.lost() : scrubbing.won());
      }
    });

    test('files that the data plane would not keep as they are may go, and not be written again', async () => {
      const [file] = await add(1);
      const state = await newest();
      const orc = { ...file!, format: 'orc' };
      expect(() => state.assertRewritable([file!], PLANE)).not.toThrow();
      expect(() => state.assertRewritable([], { types: [], formats: [], deletes: [] })).not.toThrow();
      for (const [files, plane] of [
        [[orc], PLANE],
        [[file!], { ...PLANE, types: [] }],
      ] as const) {
        expect(() => state.assertRewritable(files, plane)).toThrow(
          expect.objectContaining({ kind: 'refused' }),
        );
      }
      expect((await state.describe({ ...PLANE, types: [] })).refusals).toHaveLength(1);
    });

    test('a column that the table lacks leaves every file to the data plane', async () => {
      const [file] = await add(1);
      const where = compare('nowhere', '=', { type: 'long', value: '1' });
      const found = await (await newest()).files({ where });
      expect(found.map(({ file, whole }) => [file.location, whole])).toEqual([[file!.location, false]]);
    });
  });
}
