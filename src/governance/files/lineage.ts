import * as z from 'zod';
import type { LineageNames } from '../governance.ts';
import type { TomlDocument } from '../toml/document.ts';
import type { KeyPath } from '../toml/places.ts';
import { onlyKeys, readNamed, readValue, table } from '../toml/read.ts';
import { tableName, text } from './pieces.ts';

const CAPTURE = /\{([^{}]*)\}/g;

const pattern = table({ namespace: text, name: text, table: text }).superRefine((value, context) => {
  const captured = new Set(capturesOf(`${value.namespace} ${value.name}`));
  for (const name of capturesOf(value.table)) {
    if (captured.has(name)) continue;
    const message = `{${name}} is captured by neither namespace nor name`;
    context.addIssue({ code: 'custom', message, input: value.table, path: ['table'] });
  }
});
const reader = table({ name: text, reason: text });
const gap = table({ file: text, skipped: z.int().min(1), reason: text, decided_by: text });

/** Reads `lineage.toml`: how datasets of events become tables of the warehouse (rule L2). */
export function readLineageFile(document: TomlDocument): LineageNames {
  onlyKeys(document, [], ['datasets', 'patterns', 'sources', 'ignored', 'readers', 'gaps']);
  return {
    datasets: readKeyed(document, 'datasets', tableName).map(({ value, ...rest }) => ({
      ...rest,
      table: value,
    })),
    patterns: readList(document, 'patterns', pattern),
    sources: readNamed(document, ['sources'], (value, path) => readValue(document, path, text, value)),
    ignored: readKeyed(document, 'ignored', text).map(({ value, ...rest }) => ({ ...rest, reason: value })),
    readers: readList(document, 'readers', reader),
    gaps: readList(document, 'gaps', gap).map(({ decided_by: decidedBy, ...rest }) => ({
      ...rest,
      decidedBy,
    })),
  };
}

/** A section whose keys are `namespace name`, split at the first space. */
function readKeyed(document: TomlDocument, section: string, schema: z.ZodType<string>) {
  const entries = readNamed(document, [section], (value, path, key) => {
    const read = readValue(document, path, schema, value);
    const space = key.indexOf(' ');
    if (space < 1 || space === key.length - 1) {
      const message = 'the key must be a namespace, a space, and a name';
      document.fault({ code: 'governance/dataset-key', path, atKey: true, message, candidates: [] });
      return null;
    }
    if (read === null) return null;
    return {
      namespace: key.slice(0, space),
      name: key.slice(space + 1),
      value: read,
      at: document.placeOf(path),
    };
  });
  return [...entries.values()];
}

function readList<T extends object>(document: TomlDocument, section: string, schema: z.ZodType<T>) {
  const value = document.values[section];
  if (value === undefined) return [];
  const list = readValue(document, [section], z.array(z.unknown()), value) ?? [];
  return list.flatMap((entry, index) => {
    const path: KeyPath = [section, index];
    const read = readValue(document, path, schema, entry);
    return read === null ? [] : [{ ...read, at: document.placeOf(path) }];
  });
}

function capturesOf(template: string): string[] {
  return [...template.matchAll(CAPTURE)].map(([, name = '']) => name.replace(/\.\.\.$/, ''));
}
