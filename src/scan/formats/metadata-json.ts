import { parseJson } from '../../values/json.ts';
import type { FileScan } from '../file-scan.ts';
import { searchPathIds } from '../ids/path-ids.ts';
import type { PlaceKind } from '../report.ts';
import { Verdict } from '../text/verdict.ts';
import { Unread } from '../unread.ts';
import { type JsonText, jsonTexts } from './json-values.ts';

/** Keys whose values name files, and what those files are. */
const REFERENCES: ReadonlyMap<string, 'metadata' | 'statistics'> = new Map([
  ['manifest-list', 'metadata'],
  ['metadata-file', 'metadata'],
  ['manifests', 'metadata'],
  ['statistics-path', 'statistics'],
]);

/**
 * Scans a table's or view's metadata: every key and value of every version that is present, strings without their escapes,
 * numbers without loss (rule S4). Also names the files that it refers to. The caller searches the bytes.
 *
 * Throws {@link Unread} for what is no whole JSON document.
 */
export function scanMetadataJson(text: string, scan: FileScan): void {
  for (const found of jsonTexts(parse(text))) {
    const { kind, where } = placeOf(found);
    const verdict = new Verdict();
    scan.text.text(found.text, verdict);
    searchPathIds(found.text, { ids: scan.ids, table: scan.table, verdict });
    searchDefault(found, scan, verdict);
    if (verdict.any) scan.note({ kind, where, shared: !verdict.found });
    refer(found, scan);
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

/** A default of a column in which ids are sought. */
function searchDefault({ path, text }: JsonText, scan: FileScan, verdict: Verdict): void {
  const [top, key] = path;
  if (top !== 'properties' || typeof key !== 'string') return;
  const found = scan.ids.lookups(scan.table, { name: key }, { kind: 'text' })?.text(text);
  if (found !== undefined) verdict.add(found);
}

function refer({ path, text, isKey }: JsonText, scan: FileScan): void {
  const last = path.findLast((part) => typeof part === 'string');
  const role = last === undefined ? undefined : REFERENCES.get(last);
  if (role !== undefined && !isKey) scan.refer(text, role);
}
