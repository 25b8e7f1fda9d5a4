import { createRequire } from 'node:module';

/**
 * DuckDB's package, of which this folder takes all values from here. It is CommonJS, and Node reads each of its files once more for their
 * names where a module imports it: asking for it by `require` takes half the time, a tenth of a second of every start.
 */
export const {
  BIGINT,
  BLOB,
  BOOLEAN,
  DATE,
  DECIMAL,
  DOUBLE,
  DuckDBBlobValue,
  DuckDBDataChunk,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBInstance,
  DuckDBStructType,
  DuckDBTimeValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBUUIDValue,
  FLOAT,
  INTEGER,
  LIST,
  MAP,
  TIME,
  TIMESTAMP,
  TIMESTAMPTZ,
  TIMESTAMP_NS,
  UUID,
  VARCHAR,
  blobValue,
  dateValue,
  listValue,
  mapValue,
  structValue,
  timeValue,
  timestampNanosValue,
  timestampTZValue,
  timestampValue,
  uuidValue,
} = createRequire(import.meta.url)('@duckdb/node-api') as typeof import('@duckdb/node-api');

export type DuckDBDataChunk = import('@duckdb/node-api').DuckDBDataChunk;
export type DuckDBInstance = import('@duckdb/node-api').DuckDBInstance;
