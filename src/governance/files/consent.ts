import * as z from 'zod';
import type { Governance } from '../governance.ts';
import type { TomlDocument } from '../toml/document.ts';
import { onlyKeys, readNamed, readValue, table } from '../toml/read.ts';
import { columnName, condition, tableName, text } from './pieces.ts';

const purpose = table({
  subject: text,
  table: tableName,
  attribute: columnName,
  also: condition.optional(),
  records: tableName.optional(),
  grounds_for_erasure: z.boolean().default(false),
});

/** Reads `consent.toml`: the uses of personal data that need consent (design section 4). */
export function readConsentFile(document: TomlDocument): Governance['purposes'] {
  onlyKeys(document, [], ['purposes']);
  return readNamed(document, ['purposes'], (value, path, name) => {
    const read = readValue(document, path, purpose, value);
    if (read === null) return null;
    return {
      name,
      subject: read.subject,
      table: read.table,
      attribute: read.attribute,
      groundsForErasure: read.grounds_for_erasure,
      at: document.placeOf(path),
      ...(read.also !== undefined && { also: read.also }),
      ...(read.records !== undefined && { records: read.records }),
    };
  });
}
