import type { Field, IcebergType, ListType, MapType, Schema, StructType } from '../../schema.ts';
import type { Column } from '../../warehouse.ts';
import type { JsonReader } from './damaged.ts';

/** Two for each struct inside another: a hundred are more than any engine writes, and far from the end of the stack. */
const DEEPEST = 200;

/**
 * Reads a schema from metadata.
 *
 * @throws FailedError `iceberg/damaged-metadata` where the specification is broken
 */
export function parseSchema(reader: JsonReader, file: string): Schema {
  const identifiers = reader.list('identifier-field-ids');
  return {
    // Version 1 tables may hold one schema without an id.
    id: reader.has('schema-id') ? reader.int('schema-id') : 0,
    fields: fieldsOf(reader, file, 0),
    identifierFieldIds: identifiers.map(Number),
  };
}

function fieldsOf(reader: JsonReader, file: string, depth: number): readonly Field[] {
  if (depth > DEEPEST) throw reader.fault('is nested too deeply');
  return reader.objects('fields').map((field) => ({
    id: field.int('id'),
    name: field.text('name'),
    required: field.boolean('required'),
    type: typeOf(field, 'type', file, depth + 1),
    ...(field.has('doc') ? { doc: field.text('doc') } : {}),
    ...('initial-default' in field.json ? { initialDefault: field.json['initial-default'] } : {}),
    ...('write-default' in field.json ? { writeDefault: field.json['write-default'] } : {}),
  }));
}

function typeOf(reader: JsonReader, key: string, file: string, depth: number): IcebergType {
  if (depth > DEEPEST) throw reader.fault('is nested too deeply');
  if (typeof reader.json[key] === 'string') return reader.text(key);
  const nested = reader.object(key);
  switch (nested.text('type')) {
    case 'struct':
      return { type: 'struct', fields: fieldsOf(nested, file, depth + 1) };
    case 'list':
      return {
        type: 'list',
        elementId: nested.int('element-id'),
        elementRequired: nested.boolean('element-required'),
        element: typeOf(nested, 'element', file, depth + 1),
      };
    case 'map':
      return {
        type: 'map',
        keyId: nested.int('key-id'),
        key: typeOf(nested, 'key', file, depth + 1),
        valueId: nested.int('value-id'),
        valueRequired: nested.boolean('value-required'),
        value: typeOf(nested, 'value', file, depth + 1),
      };
    default:
      throw nested.fault('is none of struct, list and map');
  }
}

/** The JSON form of a schema, as metadata and manifests hold it. */
export function schemaJson(schema: Schema): Record<string, unknown> {
  return {
    type: 'struct',
    'schema-id': schema.id,
    ...(schema.identifierFieldIds.length > 0 ? { 'identifier-field-ids': schema.identifierFieldIds } : {}),
    fields: schema.fields.map(fieldJson),
  };
}

function fieldJson(field: Field): Record<string, unknown> {
  return {
    id: field.id,
    name: field.name,
    required: field.required,
    type: typeJson(field.type),
    ...(field.doc === undefined ? {} : { doc: field.doc }),
    ...(field.initialDefault === undefined ? {} : { 'initial-default': field.initialDefault }),
    ...(field.writeDefault === undefined ? {} : { 'write-default': field.writeDefault }),
  };
}

function typeJson(type: IcebergType): unknown {
  if (typeof type === 'string') return type;
  switch (type.type) {
    case 'struct':
      return { type: 'struct', fields: type.fields.map(fieldJson) };
    case 'list':
      return {
        type: 'list',
        'element-id': type.elementId,
        element: typeJson(type.element),
        'element-required': type.elementRequired,
      };
    case 'map':
      return {
        type: 'map',
        'key-id': type.keyId,
        key: typeJson(type.key),
        'value-id': type.valueId,
        value: typeJson(type.value),
        'value-required': type.valueRequired,
      };
  }
}

/** A field of a schema at any depth. `repeated` where it lies under a list or a map. */
export interface SchemaField {
  readonly id: number;
  readonly path: readonly string[];
  readonly type: IcebergType;
  readonly required: boolean;
  readonly repeated: boolean;
}

/** Every field of a schema, nested ones after their parent; list and map children under `element`, `key` and `value`. */
export function* schemaFields(schema: Schema): Generator<SchemaField> {
  for (const field of schema.fields) yield* walk(field, [], false);
}

function* walk(
  field: Pick<Field, 'id' | 'name' | 'type' | 'required'>,
  parents: readonly string[],
  repeated: boolean,
): Generator<SchemaField> {
  const { id, type, required } = field;
  const path = [...parents, field.name];
  yield { id, path, type, required, repeated };
  if (typeof type === 'string') return;
  for (const child of childrenOf(type)) yield* walk(child, path, repeated || type.type !== 'struct');
}

function childrenOf(
  type: StructType | ListType | MapType,
): readonly Pick<Field, 'id' | 'name' | 'type' | 'required'>[] {
  switch (type.type) {
    case 'struct':
      return type.fields;
    case 'list':
      return [{ id: type.elementId, name: 'element', type: type.element, required: type.elementRequired }];
    case 'map':
      return [
        { id: type.keyId, name: 'key', type: type.key, required: true },
        { id: type.valueId, name: 'value', type: type.value, required: type.valueRequired },
      ];
  }
}

/** All columns of a schema, nested ones too, in schema order, by full name. */
export function columnsOf(schema: Schema): readonly Column[] {
  return [...schemaFields(schema)].map(({ id, path, type, required }) => ({
    name: path.join('.'),
    path,
    id,
    type: typeof type === 'string' ? type : type.type,
    required,
  }));
}

/** Finds a column by its full name: a top-level column of exactly that name first, else the dotted path of a nested one. */
export function findField(schema: Schema, name: string): SchemaField | undefined {
  let nested: SchemaField | undefined;
  for (const field of schemaFields(schema)) {
    if (field.path.length === 1 && field.path[0] === name) return field;
    if (field.path.join('.') === name) nested ??= field;
  }
  return nested;
}

/** The full name of a field, by id. */
export function nameOf(schema: Schema, id: number): string | undefined {
  for (const field of schemaFields(schema)) if (field.id === id) return field.path.join('.');
  return undefined;
}
