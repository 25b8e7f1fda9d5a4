import { quoteName, quoteText } from '../../../../predicate/index.ts';
import { parts } from '../sql/reshape.ts';
import type { ShapeField } from '../sql/shape.ts';

/** Of zstd: a tenth less processor time than at the usual 3, for files that are a twentieth larger. PyIceberg writes at 1, too. */
const LEVEL = 1;

/**
 * The most values of a dictionary. DuckDB tries one for each column of a row group until it is full, and a key or a text never fits: at a
 * third of its usual 24,576, a rewrite takes a tenth less processor time, for files that are a hundredth larger.
 */
const DICTIONARY_VALUES = 8192;

/**
 * The statement that writes the rows of `query` as one Parquet file: the columns of the table by name and field id, at
 * every depth, compressed with zstd.
 *
 * No bloom filters, as is Iceberg's default: they would hold hashes of values. What DuckDB cannot do: a field is always
 * OPTIONAL, also where the schema says required (the rows are checked before); decimals above 18 digits take 16 bytes.
 */
export function copyStatement(
  query: string,
  fields: readonly ShapeField[],
  { path, dictionary }: { readonly path: string; readonly dictionary: boolean },
): string {
  const ids = fields.map((field) => `${quoteName('duckdb', field.name)}: ${fieldIds(field)}`);
  return `COPY (${query}) TO ${quoteText('duckdb', path)} (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL ${LEVEL}, WRITE_BLOOM_FILTER false, DICTIONARY_SIZE_LIMIT ${dictionary ? DICTIONARY_VALUES : 0}, FIELD_IDS {${ids.join(', ')}})`;
}

function fieldIds(field: ShapeField): string {
  const inner = parts(field.shape);
  if (inner.length === 0) return String(field.id);
  const below = inner.map((part) => `${quoteName('duckdb', part.name)}: ${fieldIds(part)}`);
  return `{__duckdb_field_id: ${[field.id, ...below].join(', ')}}`;
}
