import { RefusedError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Clock, Random } from '../../values/time.ts';
import type { LoadedTable } from '../catalog.ts';
import type { FormatAttempt, TableFormat, TableState } from '../table-format.ts';
import type { TableRefusal } from '../warehouse.ts';
import { beginAttempt, foldersOf } from './commit/attempt.ts';
import { clearDeadAttempts, livingAttempts } from './commit/dead-attempts.ts';
import { stageDropRef } from './commit/drop-ref.ts';
import { stageExpiry } from './commit/expire.ts';
import { referencedFiles } from './commit/referenced.ts';
import { stageScrub } from './commit/scrub.ts';
import { stageRows } from './commit/stage.ts';
import { newTable } from './metadata/create.ts';
import { snapshotAt } from './metadata/metadata.ts';
import { columnBounds } from './read/bounds.ts';
import { describeTable } from './read/describe.ts';
import { KnownManifests } from './read/known-manifests.ts';
import { commitRefusals, expiryRefusals, rewriteRefusals } from './read/refusals.ts';
import { planeTableOf, selectFiles } from './read/select.ts';
import { TableReader } from './read/table-reader.ts';

/** What the Iceberg format needs from outside. */
export interface IcebergOptions {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
}

/** Iceberg behind the {@link TableFormat} port: format versions 1 to 3 are read and changed, each kept as it is. */
export function icebergFormat({ storage, clock, random }: IcebergOptions): TableFormat {
  const known = new KnownManifests(storage);
  const readers = new WeakMap<TableState, TableReader>();
  const readerOf = (state: TableState): TableReader =>
    readers.get(state) ?? new TableReader(storage, state.loaded.metadata, { known });
  return {
    open: (loaded, earlier) => {
      const reader = new TableReader(storage, loaded.metadata, {
        known,
        earlier: earlier && readers.get(earlier),
      });
      const state = openState({ loaded, reader, storage, clock });
      readers.set(state, reader);
      return state;
    },
    create: (table, definition, location) =>
      newTable({ table, definition, location, now: clock.now(), random }),
    begin: async ({ loaded }, removing = []): Promise<FormatAttempt> => {
      const attempt = await beginAttempt(loaded.metadata, { storage, random, removing });
      const staging = { storage, clock, random, attempt };
      return {
        next: attempt.next,
        removing: attempt.removing,
        again: attempt.again,
        won: attempt.won,
        left: attempt.left,
        lost: attempt.lost,
        stageRows: (state, change) => stageRows({ ...staging, reader: readerOf(state) }, change),
        stageScrub: (state, note) => stageScrub({ ...staging, reader: readerOf(state) }, note),
      };
    },
    inProgress: ({ loaded }) => livingAttempts(storage, loaded.metadata.location),
    clearDeadAttempts: (state, search) => clearDeadAttempts({ storage, state, ...search }),
  };
}

interface Opened {
  readonly loaded: LoadedTable;
  readonly reader: TableReader;
  readonly storage: Storage;
  readonly clock: Clock;
}

function openState({ loaded, reader, storage, clock }: Opened): TableState {
  const { metadata } = loaded;
  return {
    loaded,
    describe: (plane) => describeTable(loaded, reader, plane),
    planeTable: (snapshotId) => planeTableOf(loaded, reader, snapshotId),
    files: (selection) => selectFiles(reader, selection),
    deleteFiles: async () =>
      (await reader.live(snapshotAt(metadata), ({ content }) => content === 'deletes')).map(
        ({ file }) => file,
      ),
    assertAllowed: (work) =>
      throwRefused(loaded.table, [
        ...commitRefusals(loaded),
        ...(work === 'expire' ? expiryRefusals(metadata) : []),
      ]),
    assertRewritable: (files, plane) =>
      throwRefused(loaded.table, files.length === 0 ? [] : rewriteRefusals(metadata, files, plane)),
    stageExpiry: (options) => stageExpiry({ reader, storage, now: clock.now() }, options),
    stageDropRef: (ref) => stageDropRef(loaded, ref),
    bounds: () => columnBounds(reader),
    folders: () => foldersOf(metadata),
    referenced: () => referencedFiles({ reader, storage, metadataFile: loaded.metadataFile }),
  };
}

/** All reasons are data; the first is the message. */
function throwRefused(table: string, refusals: readonly TableRefusal[]): void {
  const [first] = refusals;
  if (first === undefined) return;
  const reasons = refusals.map(({ reason }) => reason).join('; ');
  throw new RefusedError(`iceberg/${first.code}`, `${table}: ${reasons}`, {
    remedy: first.remedy,
    data: { table, refusals },
  });
}
