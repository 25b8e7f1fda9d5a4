import { join } from 'node:path';
import { localStorage } from '../../src/storage/index.ts';
import { directoryCatalog } from '../../src/warehouse/catalogs/directory.ts';
import type { DataFile } from '../../src/warehouse/data-file.ts';
import type { DataPlane } from '../../src/warehouse/data-plane.ts';
import { icebergFormat } from '../../src/warehouse/iceberg/format.ts';
import type { Field } from '../../src/warehouse/schema.ts';
import type { TableState } from '../../src/warehouse/table-format.ts';
import { type Row, rowsTable } from '../contracts/data-plane/rows.ts';
import { type Lake, seededRandom } from './lake.ts';

/** Commits files to a table of a lake as another writer would: data or delete files, whatever they hold. */
export async function commitFiles(lake: Lake, table: string, files: readonly DataFile[]): Promise<void> {
  const storage = localStorage({ roots: [lake.path] });
  const catalog = directoryCatalog({ path: lake.path, storage, clock: lake.clock });
  const random = seededRandom(files.length + 4242 + Number(process.hrtime.bigint() % 100_000n));
  const format = icebergFormat({ storage, clock: lake.clock, random });
  const state = format.open(await catalog.load(table));
  const attempt = await format.begin(state);
  await catalog.commit(table, await attempt.stageRows(state, { added: files, removed: new Set(), note: {} }));
  await attempt.won();
}

const PATH: Field = { id: 2147483546, name: 'file_path', required: true, type: 'string' };
const POSITION: Field = { id: 2147483545, name: 'pos', required: true, type: 'long' };

/** Where delete files are written, and by what. */
export interface DeleteWriting {
  readonly lake: Lake;
  readonly plane: DataPlane;
  readonly table: string;
}

/** A delete file of rows by their places, as another writer would put it beside the data. */
export function positionDeletes(
  writing: DeleteWriting,
  rows: readonly (readonly [file: string, position: number])[],
): Promise<DataFile> {
  const places = rows.map(([file, position]) => ({ file_path: file, pos: BigInt(position) }));
  return deleteFile(writing, [PATH, POSITION], { rows: places, rest: { content: 'position-deletes' } });
}

/** A delete file of rows by a value of one column. */
export function equalityDeletes(
  writing: DeleteWriting,
  field: Field,
  values: readonly (bigint | string)[],
): Promise<DataFile> {
  const rows = values.map((value) => ({ [field.name]: value }));
  const rest = { content: 'equality-deletes', equalityIds: [field.id] } as const;
  return deleteFile(writing, [field], { rows, rest });
}

let made = 0;

async function deleteFile(
  { lake, plane, table }: DeleteWriting,
  fields: readonly Field[],
  { rows, rest }: { readonly rows: readonly Row[]; readonly rest: Partial<DataFile> },
): Promise<DataFile> {
  made += 1;
  const schema = { id: 0, fields, identifierFieldIds: [] };
  const folder = join(lake.path, ...table.split('.'), 'data');
  const target = { next: (extension: string) => join(folder, `delete-${made}.${extension}`) };
  const [file] = await plane.write(
    { table, schema, properties: {}, structuralFieldIds: [] },
    rowsTable(fields, rows),
    target,
  );
  return { ...file!, ...rest };
}

/** The newest state of a table of a lake. */
export async function stateOf(lake: Lake, table: string): Promise<TableState> {
  const storage = localStorage({ roots: [lake.path] });
  const catalog = directoryCatalog({ path: lake.path, storage, clock: lake.clock });
  return icebergFormat({ storage, clock: lake.clock, random: seededRandom(9) }).open(
    await catalog.load(table),
  );
}
