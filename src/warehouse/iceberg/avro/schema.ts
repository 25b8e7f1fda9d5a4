import { FailedError } from '../../../errors.ts';

/** A primitive of Avro. */
export type AvroPrimitive = 'null' | 'boolean' | 'int' | 'long' | 'float' | 'double' | 'bytes' | 'string';

/** A field of a record; Iceberg knows it by `field-id` alone. */
export interface AvroField {
  readonly name: string;
  readonly type: AvroSchema;
  readonly 'field-id'?: number;
  readonly default?: unknown;
  readonly doc?: string;
}

export interface AvroRecordSchema {
  readonly type: 'record';
  readonly name: string;
  readonly fields: readonly AvroField[];
}

export interface AvroArraySchema {
  readonly type: 'array';
  readonly items: AvroSchema;
  /** `map` for Iceberg's maps with integer keys. */
  readonly logicalType?: string;
  readonly 'element-id'?: number;
}

export interface AvroFixedSchema {
  readonly type: 'fixed';
  readonly name: string;
  readonly size: number;
  readonly logicalType?: string;
  readonly precision?: number;
  readonly scale?: number;
}

/** An Avro schema as JSON writes it, with the attributes that Iceberg adds (`field-id`, `element-id`, `logicalType`). */
export type AvroSchema =
  | string
  | readonly AvroSchema[]
  | AvroRecordSchema
  | AvroArraySchema
  | { readonly type: 'map'; readonly values: AvroSchema }
  | AvroFixedSchema
  | { readonly type: 'enum'; readonly name: string; readonly symbols: readonly string[] }
  | AvroPrimitiveSchema;

/** A primitive with a logical type (`date`, `timestamp-micros`, `decimal`). */
export interface AvroPrimitiveSchema {
  readonly type: AvroPrimitive;
  readonly logicalType?: string;
  readonly precision?: number;
  readonly scale?: number;
  readonly 'adjust-to-utc'?: boolean;
}

/**
 * A decoded value: int as number, long as bigint, bytes and fixed as bytes, a record by the keys of {@link fieldKey}, an array
 * (Iceberg's maps with integer keys too) as an array.
 */
export type AvroValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly AvroValue[]
  | AvroRecord
  | ReadonlyMap<string, AvroValue>
  | ReadonlyMap<number, AvroValue>;

export interface AvroRecord {
  readonly [key: string]: AvroValue;
}

/** The key of a field in a decoded record: its field id where it has one, its name where not. */
export function fieldKey(field: AvroField): string {
  return field['field-id'] === undefined ? field.name : String(field['field-id']);
}

/** Named types met so far, so that a schema can use a record again by its name. */
export type NamedTypes = Map<string, unknown>;

/**
 * The error for bytes that are no valid Avro. Names the file, says what is wrong, shows no content.
 *
 * Code `iceberg/damaged-avro`.
 */
export function damagedAvro(file: string, what: string, cause?: unknown): FailedError {
  return new FailedError('iceberg/damaged-avro', `${file}: ${what}`, {
    remedy: 'Restore the file from a copy, or return the table to a snapshot that does not need it',
    data: { file },
    ...(cause === undefined ? {} : { cause }),
  });
}
