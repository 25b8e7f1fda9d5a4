import { parseJson } from '../../../../values/json.ts';
import type { PlaneTable } from '../../../data-plane.ts';
import { refused } from '../errors.ts';
import type { FileField, Footer } from './footer.ts';

const PROPERTY = 'schema.name-mapping.default';

/** One entry of a name mapping: the names that a field has in files without ids, and those of the fields inside it. */
interface MappedField {
  readonly id: number | null;
  readonly names: readonly string[];
  readonly fields: readonly MappedField[];
}

/**
 * The footer of a file without field ids, with the ids that the table's name mapping gives its names (specification, column
 * projection). A dot in a name is literal; names that the mapping lacks stay without an id.
 *
 * @throws RefusedError `plane/no-field-ids` where the table has no mapping, `plane/name-mapping` for one that is not what the
 * specification says, `plane/file-schema` for names that DuckDB does not tell apart
 */
export function mapNames({ table, properties }: PlaneTable, file: string, footer: Footer): Footer {
  const text = properties[PROPERTY];
  if (text === undefined) {
    throw refused(
      'no-field-ids',
      `Data file ${file} of ${table} has no field ids, so its columns would have to be guessed by name`,
      `Set ${PROPERTY} as Iceberg's migration does, or rewrite the table with an engine that writes field ids`,
      { table, file },
    );
  }
  const names = footer.fields.map(({ name }) => name.toLowerCase());
  if (new Set(names).size < names.length || names.includes('file_row_number')) {
    throw refused(
      'file-schema',
      `Data file ${file} of ${table} has no field ids, and column names that DuckDB does not tell apart`,
      'Rewrite the file with the engine that wrote it',
      { table, file },
    );
  }
  return { ...footer, fields: mapped(footer.fields, parse(table, text)), byName: true };
}

/** The ids that the specification reserves for the columns of position delete files, by the names that it gives them. */
const RESERVED: readonly MappedField[] = [
  { id: 2147483546, names: ['file_path'], fields: [] },
  { id: 2147483545, names: ['pos'], fields: [] },
  { id: 2147483544, names: ['row'], fields: [] },
];

/** The footer of a position delete file without field ids: what its columns are called needs no mapping of the table's. */
export function reservedNames(footer: Footer): Footer {
  return { ...footer, fields: mapped(footer.fields, RESERVED), byName: true };
}

function parse(table: string, text: string): readonly MappedField[] {
  try {
    return entries(parseJson(text));
  } catch {
    throw refused(
      'name-mapping',
      `The property ${PROPERTY} of ${table} is no name mapping`,
      'Set it as the specification of Iceberg describes it',
      { table },
    );
  }
}

function entries(json: unknown): readonly MappedField[] {
  if (!Array.isArray(json)) throw new TypeError('no list');
  return json.map((entry: unknown) => {
    const { 'field-id': id = null, names, fields = [] } = entry as Record<string, unknown>;
    if (id !== null && !Number.isSafeInteger(id)) throw new TypeError('no id');
    if (!Array.isArray(names) || names.some((name) => typeof name !== 'string'))
      throw new TypeError('no names');
    return { id: id as number | null, names, fields: entries(fields ?? []) };
  });
}

function mapped(fields: readonly FileField[], by: readonly MappedField[]): readonly FileField[] {
  return fields.map((field) =>
    mappedAs(
      field,
      by.find(({ names }) => names.includes(field.name)),
    ),
  );
}

function mappedAs({ name, type }: FileField, by: MappedField | undefined): FileField {
  const inner = by?.fields ?? [];
  const child = (field: FileField, as: string): FileField =>
    mappedAs(
      field,
      inner.find(({ names }) => names.includes(as)),
    );
  const id = by?.id ?? null;
  switch (type.kind) {
    case 'leaf':
      return { id, name, type };
    case 'struct':
      return { id, name, type: { kind: 'struct', fields: mapped(type.fields, inner) } };
    case 'list':
      return { id, name, type: { kind: 'list', element: child(type.element, 'element') } };
    case 'map':
      return {
        id,
        name,
        type: { kind: 'map', key: child(type.key, 'key'), value: child(type.value, 'value') },
      };
  }
}
