import * as z from 'zod';
import type { ColumnMetadata, Governance, TableMetadata } from '../governance.ts';
import type { TomlDocument } from '../toml/document.ts';
import type { KeyPath } from '../toml/places.ts';
import { onlyKeys, readNamed, readValue, table } from '../toml/read.ts';
import { columnName, text } from './pieces.ts';

const CLASSIFICATIONS = ['public', 'internal', 'personal', 'sensitive'] as const;

const tableMetadata = table({
  owner: text.optional(),
  key: z.array(columnName).min(1).optional(),
  columns: z.unknown().optional(),
});

const columnMetadata = z.preprocess(
  (value) => (typeof value === 'string' ? { classification: value } : value),
  table({ classification: z.enum(CLASSIFICATIONS), identifies: text.optional() }),
);

/** Reads `metadata.toml`: tables with their owners, keys and classified columns. */
export function readMetadataFile(document: TomlDocument): Governance['metadata'] {
  onlyKeys(document, [], ['tables']);
  return readNamed(document, ['tables'], (value, path, name) =>
    readTableMetadata(document, path, name, value),
  );
}

function readTableMetadata(
  document: TomlDocument,
  path: KeyPath,
  name: string,
  value: unknown,
): TableMetadata | null {
  const read = readValue(document, path, tableMetadata, value);
  if (read === null) return null;
  const columns = readNamed(document, [...path, 'columns'], (column, columnPath): ColumnMetadata | null => {
    const found = readValue(document, columnPath, columnMetadata, column);
    if (found === null) return null;
    const { classification, identifies } = found;
    return {
      classification,
      at: document.placeOf(columnPath),
      ...(identifies !== undefined && { identifies }),
    };
  });
  return {
    table: name,
    key: read.key ?? [],
    columns,
    at: document.placeOf(path),
    ...(read.owner !== undefined && { owner: read.owner }),
  };
}
