import type { DataFile } from '../../../data-file.ts';
import type { PlaneTable } from '../../../data-plane.ts';
import type { Field, IcebergType, Schema } from '../../../schema.ts';
import { appendRows } from '../append-rows.ts';
import { type Column, everyColumn } from '../columns.ts';
import { refused } from '../errors.ts';
import type { OpenFile } from '../files.ts';
import { fieldAt } from '../parquet/footer.ts';
import { type LocalFile, POSITION, relation } from '../sql/relation.ts';
import { fileShape } from '../sql/shape.ts';
import { deletesOf, type Hiding, type OpenDelete } from './open-deletes.ts';

/**
 * Hides the rows whose values equality delete files list. Values are compared as the table has them now, whatever either file was
 * written as; null equals null.
 */
export async function hideByEquality(hiding: Hiding, files: readonly OpenFile[]): Promise<void> {
  const byKey = new Map<string, Map<OpenDelete, OpenFile[]>>();
  for (const file of files) {
    for (const found of deletesOf(file, 'equality-deletes')) {
      const opened = hiding.deletes.files.get(found.location)!;
      const key = String([...keyIds(hiding.table, found)].sort((a, b) => a - b));
      const group = byKey.get(key) ?? new Map<OpenDelete, OpenFile[]>();
      group.set(opened, [...(group.get(opened) ?? []), file]);
      byKey.set(key, group);
    }
  }
  for (const group of byKey.values()) await hideByKey(hiding, group);
}

/** Delete files of one key, each with the data files that it applies to. */
async function hideByKey(
  { session, table, name, context }: Hiding,
  group: ReadonlyMap<OpenDelete, readonly OpenFile[]>,
): Promise<void> {
  const opened = [...group.keys()];
  const { schema, columns } = keyColumns(table, opened[0]!.file);
  for (const file of opened) checkHasKey(table, file, columns);
  const data = [...new Map([...group.values()].flat().map((file) => [file.path, file])).values()];
  const scope = context.engine.tableName();
  await session.run(`CREATE TEMP TABLE ${scope} (delete VARCHAR, data VARCHAR)`);
  const pairs = [...group].flatMap(([by, files]) => files.map(({ path }) => [by.path, path]));
  await appendRows(session, scope, pairs);
  const rows = (of: readonly LocalFile[]): string => {
    const keys = columns.map(({ sql }, index) => `${sql} AS k${index}`);
    return `SELECT file, ${POSITION}, ${keys.join(', ')} FROM (${relation(table.table, of, fileShape(schema))})`;
  };
  const keys = columns.map((_, index) => `r.k${index} IS NOT DISTINCT FROM d.k${index}`);
  await session.run(
    `INSERT INTO ${name} SELECT DISTINCT r.file, r.${POSITION} FROM (${rows(data.map(unhidden))}) r JOIN (SELECT DISTINCT file, ${columns.map((_, index) => `k${index}`).join(', ')} FROM (${rows(opened)})) d ON ${keys.join(' AND ')} JOIN ${scope} s ON s.delete = d.file AND s.data = r.file`,
  );
  await session.run(`DROP TABLE ${scope}`);
}

function unhidden({ path, location, footer }: LocalFile): LocalFile {
  return { path, location, footer };
}

/** The key of an equality delete file: the newest schema that has all of its columns, cut to what holds them. */
function keyColumns(
  table: PlaneTable,
  file: DataFile,
): { readonly schema: Schema; readonly columns: readonly Column[] } {
  const ids = keyIds(table, file);
  for (const candidate of [table.schema, ...(table.olderSchemas ?? [])]) {
    const schema = { ...candidate, fields: candidate.fields.filter((field) => holds(field, ids)) };
    const byId = new Map(everyColumn(schema).map((column) => [column.field.id, column]));
    const columns = ids.flatMap((id) => byId.get(id) ?? []);
    if (columns.length === ids.length && columns.every(({ field }) => typeof field.type === 'string'))
      return { schema, columns };
  }
  throw unusable(table, file.location, 'names columns that no schema of the table has with one value a row');
}

function keyIds(table: PlaneTable, { equalityIds = [], location }: DataFile): readonly number[] {
  if (equalityIds.length === 0) throw unusable(table, location, 'does not say which columns it compares');
  return equalityIds;
}

function holds(field: Pick<Field, 'id' | 'type'>, ids: readonly number[]): boolean {
  return ids.includes(field.id) || inside(field.type).some((inner) => holds(inner, ids));
}

function inside(type: IcebergType): readonly Field[] {
  return typeof type !== 'string' && type.type === 'struct' ? type.fields : [];
}

/** A column that a delete file does not have would read as null, and delete what nobody deleted. */
function checkHasKey(table: PlaneTable, file: OpenDelete, columns: readonly Column[]): void {
  if (columns.some(({ path }) => fieldAt(file.footer.fields, path) === undefined))
    throw unusable(table, file.location, 'lacks a column that it compares');
}

function unusable({ table }: PlaneTable, file: string, why: string): Error {
  return refused(
    'delete-columns',
    `Equality delete file ${file} of ${table} ${why}`,
    'Compact the table with the engine that wrote it',
    { table, file },
  );
}
