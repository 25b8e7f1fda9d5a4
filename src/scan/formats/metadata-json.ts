import { isObject } from '../../values/is-object.ts';
import { parseJson } from '../../values/json.ts';
import type { FileScan } from '../file-scan.ts';
import { searchPathIds } from '../ids/path-ids.ts';
import type { PlaceKind } from '../report.ts';
import { Verdict } from '../text/verdict.ts';
import { Unread } from '../unread.ts';
import { type JsonText, jsonTexts, showsItsTexts } from './json-values.ts';

/** Keys whose values name files, and what those files are. */
const REFERENCES: ReadonlyMap<string, 'metadata' | 'statistics'> = new Map([
  ['manifest-list', 'metadata'],
  ['metadata-file', 'metadata'],
  ['manifests', 'metadata'],
  ['statistics-path', 'statistics'],
]);

/**
 * Scans a table's or view's metadata: every key and value of every version that is present, strings without their escapes,
 * numbers without loss (rule S4). Also names the files that it refers to. What is no whole JSON document is not proven, and
 * searched as bytes alone.
 *
 * Its bytes are searched first: where they hold nothing, values that stand in them as they are hold nothing either.
 */
export function scanMetadataJson(bytes: Uint8Array, text: string, scan: FileScan): void {
  const inBytes = new Verdict();
  scan.attempt(() => scan.text.raw(bytes, inBytes, { utf16: true }));
  scan.attempt(() => {
    const document = parse(text);
    referTo(document, null, scan);
    scanDefaults(document, scan);
    // An id stands behind the name of its column and this sign.
    const mayHoldId = text.includes('=');
    if (inBytes.any || mayHoldId || scan.text.hasCells || !showsItsTexts(text)) scanValues(document, scan);
  });
  // Found by its place already: the same once more, as bytes, would say less.
  if (inBytes.any && !scan.holds) scan.note({ kind: 'other', where: 'bytes', shared: !inBytes.found });
}

function scanValues(document: unknown, scan: FileScan): void {
  for (const found of jsonTexts(document)) {
    const { kind, where } = placeOf(found);
    const verdict = new Verdict();
    scan.text.text(found.text, verdict);
    searchPathIds(found.text, { ids: scan.ids, table: scan.table, verdict });
    if (verdict.any) scan.note({ kind, where, shared: !verdict.found });
  }
}

/** Whether a JSON text looks like Iceberg's metadata, whole or cut short. */
export function isMetadataJson(text: string): boolean {
  return text.trimStart().startsWith('{') && /"(format-version|table-uuid|view-uuid)"\s*:/.test(text);
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new Unread('its metadata is no JSON: it is cut short or damaged');
  }
}

function placeOf({ path }: JsonText): { readonly kind: PlaceKind; readonly where: string } {
  const [top, , below] = path;
  if (top === 'snapshots' && below === 'summary') return { kind: 'summary', where: 'summary of a snapshot' };
  if (top === 'statistics' || top === 'partition-statistics')
    return { kind: 'statistics', where: String(top) };
  const last = path.findLast((part) => typeof part === 'string');
  if (last === 'location' || (last !== undefined && REFERENCES.has(last)))
    return { kind: 'path', where: last };
  return { kind: 'metadata', where: typeof top === 'string' ? top : 'document' };
}

/** Defaults of columns in which ids are sought stand among the table's properties. */
function scanDefaults(document: unknown, scan: FileScan): void {
  const properties = isObject(document) && isObject(document.properties) ? document.properties : {};
  for (const [name, value] of Object.entries(properties)) {
    const shared = scan.ids.lookups(scan.table, { name }, { kind: 'text' })?.text(String(value));
    if (shared !== undefined) scan.note({ kind: 'metadata', where: 'properties', shared });
  }
}

/** Notes the files that a value behind a key names, or what is in it. */
function referTo(value: unknown, key: string | null, scan: FileScan): void {
  if (typeof value === 'string') {
    const role = key === null ? undefined : REFERENCES.get(key);
    if (role !== undefined) scan.refer(value, role);
  } else if (Array.isArray(value)) {
    for (const item of value) referTo(item, key, scan);
  } else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) referTo(item, name, scan);
  }
}
