import type { PartitionField, PartitionSpec } from '../../partition-spec.ts';
import type { PrimitiveType, Schema } from '../../schema.ts';
import type { JsonReader } from './damaged.ts';
import { schemaFields } from './schema.ts';

/** Reads a spec; the fields of version 1 may lack ids, which then count from 1000. */
export function parseSpec(reader: JsonReader): PartitionSpec {
  return { id: reader.int('spec-id'), fields: parseSpecFields(reader.objects('fields')) };
}

/** Reads the fields of a spec. */
export function parseSpecFields(fields: readonly JsonReader[]): readonly PartitionField[] {
  return fields.map((field, index) => ({
    fieldId: field.has('field-id') ? field.int('field-id') : 1000 + index,
    sourceIds: field.has('source-ids') ? field.list('source-ids').map(Number) : [field.int('source-id')],
    name: field.text('name'),
    transform: field.text('transform'),
  }));
}

/**
 * The type of a partition value; undefined for a transform this version does not know. A source column that the current
 * schema has dropped is looked up in the older ones.
 */
export function partitionType(field: PartitionField, schemas: readonly Schema[]): PrimitiveType | undefined {
  return resultType(field.transform, sourceType(field, schemas));
}

/** The type that a transform makes of a column's type; undefined for a transform this version does not know. */
export function resultType(transform: string, source: PrimitiveType | undefined): PrimitiveType | undefined {
  switch (transform.toLowerCase().replace(/\[\d+\]$/, '')) {
    case 'identity':
    case 'truncate':
    case 'void':
      return source;
    case 'bucket':
    case 'year':
    case 'month':
    case 'hour':
      return 'int';
    case 'day':
      return 'date';
    default:
      return undefined;
  }
}

/** The type of the column that a partition field reads. */
export function sourceType(field: PartitionField, schemas: readonly Schema[]): PrimitiveType | undefined {
  for (const schema of schemas) {
    for (const { id, type } of schemaFields(schema)) {
      if (id === field.sourceIds[0] && typeof type === 'string') return type;
    }
  }
  // A void field keeps no value, so its type matters to nobody once its column is gone.
  return field.transform === 'void' ? 'int' : undefined;
}
