import type { DuckDBType } from '@duckdb/node-api';
import type { RecordBatch } from 'apache-arrow';
import type { IcebergType, Schema } from '../../../schema.ts';
import {
  BIGINT,
  BLOB,
  BOOLEAN,
  DATE,
  DECIMAL,
  DOUBLE,
  DuckDBDataChunk,
  DuckDBStructType,
  FLOAT,
  INTEGER,
  LIST,
  MAP,
  TIME,
  TIMESTAMP,
  TIMESTAMP_NS,
  TIMESTAMPTZ,
  UUID,
} from '../duckdb.ts';
import { type Primitive, primitive } from '../sql/primitive.ts';
import { matchColumns } from './match-columns.ts';
import { type Read, readerOf } from './read-value.ts';

/** How many rows DuckDB takes at once. */
const CHUNK_ROWS = 2048;

/**
 * The rows of a batch as chunks of the schema's wire shape, ready to append. An optional column that the batch lacks is
 * null. Throws what {@link readerOf} and {@link matchColumns} throw.
 */
export function* chunksOf(batch: RecordBatch, schema: Schema): Generator<DuckDBDataChunk> {
  const types = schema.fields.map(({ type, name }) => wireType(type, name));
  const reads = bind(batch, schema);
  for (let start = 0; start < batch.numRows; start += CHUNK_ROWS) {
    const chunk = DuckDBDataChunk.create(types, Math.min(CHUNK_ROWS, batch.numRows - start));
    reads.forEach((read, column) => {
      const vector = chunk.getColumnVector(column);
      for (let row = 0; row < vector.itemCount; row++) vector.setItem(row, read(start + row));
      vector.flush();
    });
    yield chunk;
  }
}

function bind(batch: RecordBatch, schema: Schema): readonly Read[] {
  const names = batch.schema.fields.map(({ name }) => String(name));
  return matchColumns(names, schema.fields).map(({ field, index }) =>
    index === undefined
      ? () => null
      : readerOf(batch.data.children[index]!, {
          column: field.name,
          type: field.type,
          required: field.required,
        }),
  );
}

/** The driver's type for the wire shape of `sql/shape.ts`. */
function wireType(type: IcebergType, column: string): DuckDBType {
  if (typeof type === 'string') return primitiveType(primitive(type, column));
  switch (type.type) {
    case 'struct':
      return new DuckDBStructType(
        type.fields.map(({ id }) => `f${id}`),
        type.fields.map((field) => wireType(field.type, `${column}.${field.name}`)),
      );
    case 'list':
      return LIST(wireType(type.element, `${column}.element`));
    case 'map':
      return MAP(wireType(type.key, `${column}.key`), wireType(type.value, `${column}.value`));
  }
}

function primitiveType(type: Primitive): DuckDBType {
  switch (type.kind) {
    case 'boolean':
      return BOOLEAN;
    case 'int':
      return INTEGER;
    case 'long':
      return BIGINT;
    case 'float':
      return FLOAT;
    case 'double':
      return DOUBLE;
    case 'decimal':
      return DECIMAL(type.precision, type.scale);
    case 'date':
      return DATE;
    case 'time':
      return TIME;
    case 'timestamp':
      return TIMESTAMP;
    case 'timestamptz':
      return TIMESTAMPTZ;
    case 'timestamp_ns':
      return TIMESTAMP_NS;
    case 'uuid':
      return UUID;
    case 'string':
    case 'binary':
      return BLOB;
  }
}
