import type { SchemaElement } from 'hyparquet';
import type { ColumnType } from '../ids/column-type.ts';

/** What the values of a Parquet column mean, by its logical type or the older converted type. */
export function parquetColumnType(element: SchemaElement): ColumnType {
  const { type, converted_type: converted, logical_type: logical } = element;
  if (logical?.type === 'DECIMAL' || converted === 'DECIMAL') {
    return { kind: 'decimal', scale: (logical?.type === 'DECIMAL' ? logical.scale : element.scale) ?? 0 };
  }
  switch (type) {
    case 'INT32':
    case 'INT64':
      return integer(element);
    case 'INT96':
      // Nothing but timestamps was ever written so.
      return { kind: 'instant', unit: 'micros', of: 'timestamp' };
    case 'FLOAT':
      return { kind: 'floating', bits: 32 };
    case 'DOUBLE':
      return { kind: 'floating', bits: 64 };
    case 'BYTE_ARRAY':
      return { kind: converted === 'UTF8' || logical?.type === 'STRING' ? 'text' : 'bytes' };
    case 'FIXED_LEN_BYTE_ARRAY':
      return { kind: 'bytes' };
    default:
      return { kind: 'other' };
  }
}

function integer({ converted_type: converted, logical_type: logical }: SchemaElement): ColumnType {
  if (logical?.type === 'DATE' || converted === 'DATE') return { kind: 'instant', unit: 'days', of: 'date' };
  if (logical?.type === 'TIME' || logical?.type === 'TIMESTAMP') {
    const unit = ({ MILLIS: 'millis', MICROS: 'micros', NANOS: 'nanos' } as const)[logical.unit];
    return { kind: 'instant', unit, of: logical.type === 'TIME' ? 'time' : 'timestamp' };
  }
  switch (converted) {
    case 'TIME_MILLIS':
      return { kind: 'instant', unit: 'millis', of: 'time' };
    case 'TIME_MICROS':
      return { kind: 'instant', unit: 'micros', of: 'time' };
    case 'TIMESTAMP_MILLIS':
      return { kind: 'instant', unit: 'millis', of: 'timestamp' };
    case 'TIMESTAMP_MICROS':
      return { kind: 'instant', unit: 'micros', of: 'timestamp' };
    default:
      return { kind: 'integer' };
  }
}
