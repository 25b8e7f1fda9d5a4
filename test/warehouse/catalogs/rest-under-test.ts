import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localStorage } from '../../../src/storage/index.ts';
import type { Catalog, TableCommit } from '../../../src/warehouse/catalog.ts';
import { openRestCatalog } from '../../../src/warehouse/catalogs/rest/open.ts';
import type { WireLimits } from '../../../src/warehouse/catalogs/rest/wire.ts';
import type { RestCatalogSetting } from '../../../src/warehouse/catalogs/settings.ts';
import { HandedOut } from '../../../src/warehouse/catalogs/vended.ts';
import { newTable } from '../../../src/warehouse/iceberg/metadata/create.ts';
import { seededRandom } from '../../support/lake.ts';
import { type RestCatalogStub, type StubOptions, startRestCatalog } from '../../support/rest-catalog.ts';

/** A stub and a clock that only sleeping moves. */
export interface RestAtHand {
  readonly path: string;
  readonly stub: RestCatalogStub;
  readonly clock: { at: number; now(): number };
  /** How long each sleep was. */
  readonly slept: number[];
  readonly handedOut: HandedOut;
  open(setting?: Partial<RestCatalogSetting>, limits?: WireLimits): Promise<Catalog>;
  close(): Promise<void>;
}

let seeds = 500;

export async function restAtHand(options: Partial<StubOptions> = {}): Promise<RestAtHand> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'lethe-rest-')));
  const stub = await startRestCatalog({ warehouse: path, ...options });
  const clock = { at: 1_700_000_000_000, now: () => clock.at };
  const slept: number[] = [];
  const handedOut = new HandedOut(clock);
  return {
    path,
    stub,
    clock,
    slept,
    handedOut,
    open: (setting = {}, limits = {}) => {
      seeds += 1;
      const random = seededRandom(seeds);
      const sleep = async (ms: number): Promise<void> => {
        slept.push(ms);
        clock.at += ms;
      };
      return openRestCatalog(
        { kind: 'rest', uri: stub.uri, ...setting },
        { storage: localStorage({ roots: [path] }), clock, random, patience: { sleep, random }, handedOut },
        limits,
      );
    },
    close: async () => {
      await stub.close();
      await rm(path, { recursive: true, force: true });
    },
  };
}

export const TABLE = 'crm.learners';

/** A catalog with one table in it. */
export async function openWithTable(at: RestAtHand): Promise<Catalog> {
  const catalog = await at.open();
  const location = (await catalog.defaultLocation(TABLE)) ?? '';
  const definition = { columns: [{ name: 'id', type: 'long' }] };
  await catalog.create(
    TABLE,
    newTable({ table: TABLE, definition, location, now: 1, random: seededRandom(5) }),
  );
  at.stub.requests.length = 0;
  return catalog;
}

/** Ids of snapshots that no number holds. */
export const FIRST = 9007199254740993n;
export const SECOND = 9223372036854775807n;

/** A commit of a snapshot. */
export function snapshot(id: bigint, parent: bigint | null, sequence = 1): TableCommit {
  return {
    requirements: [{ type: 'assert-ref-snapshot-id', ref: 'main', 'snapshot-id': parent }],
    updates: [
      {
        action: 'add-snapshot',
        snapshot: {
          'snapshot-id': id,
          ...(parent === null ? {} : { 'parent-snapshot-id': parent }),
          'sequence-number': sequence,
          'timestamp-ms': 1_700_000_000_000,
          'manifest-list': '/nowhere/list.avro',
          summary: { operation: 'append' },
          'schema-id': 0,
        },
      },
      { action: 'set-snapshot-ref', 'ref-name': 'main', type: 'branch', 'snapshot-id': id },
    ],
  };
}
