import {
  Field as ArrowField,
  Binary,
  Bool,
  type DataType,
  DateDay,
  Decimal,
  FixedSizeBinary,
  Float32,
  Float64,
  Int32,
  Int64,
  List,
  Map_,
  Struct,
  TimeMicrosecond,
  TimestampMicrosecond,
  TimestampNanosecond,
  Utf8,
} from 'apache-arrow';
import type { Field, IcebergType } from '../../../schema.ts';
import { type ReadPrimitive, readPrimitiveType } from '../sql/primitive.ts';

/** The metadata key under which Arrow's own Parquet readers give field ids. */
const FIELD_ID = 'PARQUET:field_id';

/** The Arrow field that rows of a column are given out as. Throws `plane/unsupported-type`. */
export function arrowField(field: Field): ArrowField {
  return named(field.name, field.id, { type: field.type, required: field.required, column: field.name });
}

interface Part {
  readonly type: IcebergType;
  readonly required: boolean;
  readonly column: string;
}

function named(name: string, id: number, { type, required, column }: Part): ArrowField {
  return new ArrowField(name, arrowType(type, column), !required, new Map([[FIELD_ID, String(id)]]));
}

function arrowType(type: IcebergType, column: string): DataType {
  if (typeof type === 'string') return arrowPrimitive(readPrimitiveType(type, column));
  switch (type.type) {
    case 'struct':
      return new Struct(
        type.fields.map((field) =>
          named(field.name, field.id, { ...field, column: `${column}.${field.name}` }),
        ),
      );
    case 'list': {
      const part = { type: type.element, required: type.elementRequired, column: `${column}.element` };
      return new List(named('element', type.elementId, part));
    }
    case 'map': {
      const key = named('key', type.keyId, { type: type.key, required: true, column: `${column}.key` });
      const part = { type: type.value, required: type.valueRequired, column: `${column}.value` };
      const value = named('value', type.valueId, part);
      return new Map_(new ArrowField('key_value', new Struct([key, value]), false) as never);
    }
  }
}

/** The Arrow type of a primitive. */
export function arrowPrimitive(type: ReadPrimitive): DataType {
  switch (type.kind) {
    case 'boolean':
      return new Bool();
    case 'int':
      return new Int32();
    case 'long':
      return new Int64();
    case 'float':
      return new Float32();
    case 'double':
      return new Float64();
    case 'decimal':
      return new Decimal(type.scale, type.precision, 128);
    case 'date':
      return new DateDay();
    case 'time':
      return new TimeMicrosecond();
    case 'timestamp':
      return new TimestampMicrosecond();
    case 'timestamptz':
      return new TimestampMicrosecond('UTC');
    case 'timestamp_ns':
      return new TimestampNanosecond();
    case 'string':
      return new Utf8();
    case 'uuid':
      return new FixedSizeBinary(16);
    case 'binary':
      return new Binary();
    case 'fixed':
      return new FixedSizeBinary(type.length);
  }
}
