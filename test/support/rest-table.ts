import { randomUUID } from 'node:crypto';

export type Json = Readonly<Record<string, unknown>>;

/** A table in the memory of the stub. Numbers keep the digits that they came with. */
export interface StubTable {
  readonly namespace: readonly string[];
  readonly name: string;
  readonly file: string;
  readonly version: number;
  readonly metadata: Json;
}

/** A requirement that does not hold. */
export class TableFailure extends Error {}

export function createTable({
  namespace,
  name,
  location: given,
  request,
}: {
  readonly namespace: readonly string[];
  readonly name: string;
  readonly location: string;
  readonly request: Json;
}): StubTable {
  const location = String(request.location ?? given);
  const { 'format-version': version = '2', ...properties } = request.properties as Record<string, string>;
  const schema = request.schema as { fields: { id: unknown }[] };
  const spec = request['partition-spec'] as { fields: { 'field-id': unknown }[] };
  const metadata = {
    'format-version': Number(version),
    'table-uuid': randomUUID(),
    location,
    'last-sequence-number': 0,
    'last-updated-ms': 1_700_000_000_000,
    'last-column-id': schema.fields.length,
    'current-schema-id': 0,
    schemas: [{ ...schema, 'schema-id': 0 }],
    'default-spec-id': 0,
    'partition-specs': [{ ...spec, 'spec-id': 0 }],
    'last-partition-id': 999 + spec.fields.length,
    'default-sort-order-id': 0,
    'sort-orders': [{ 'order-id': 0, fields: [] }],
    properties,
    'current-snapshot-id': -1,
    refs: {},
    snapshots: [],
    'snapshot-log': [],
    'metadata-log': [],
    ...(version === '3' ? { 'next-row-id': 0, 'current-snapshot-id': null } : {}),
  };
  return { namespace, name, version: 0, file: fileOf(location, 0), metadata };
}

/** `CommitTableRequest`. */
export function updateTable(table: StubTable, request: Json): StubTable {
  for (const requirement of (request.requirements ?? []) as Json[]) check(table.metadata, requirement);
  const old = table.metadata;
  let metadata: Json = {
    ...old,
    'last-updated-ms': Number(old['last-updated-ms']) + 1,
    'metadata-log': [
      ...(old['metadata-log'] as unknown[]),
      { 'timestamp-ms': old['last-updated-ms'], 'metadata-file': table.file },
    ],
  };
  for (const update of (request.updates ?? []) as Json[]) metadata = updated(metadata, update);
  const version = table.version + 1;
  return { ...table, version, metadata, file: fileOf(String(metadata.location), version) };
}

function fileOf(location: string, version: number): string {
  return `${location}/metadata/${String(version).padStart(5, '0')}-${randomUUID()}.metadata.json`;
}

function check(metadata: Json, requirement: Json): void {
  if (requirement.type === 'assert-table-uuid' && requirement.uuid !== metadata['table-uuid'])
    throw new TableFailure('Requirement failed: UUID does not match');
  if (requirement.type !== 'assert-ref-snapshot-id') return;
  const there = (metadata.refs as Record<string, Json>)[String(requirement.ref)]?.['snapshot-id'] ?? null;
  if (String(there) !== String(requirement['snapshot-id'] ?? null))
    throw new TableFailure(`Requirement failed: branch ${requirement.ref} has changed`);
}

function updated(metadata: Json, update: Json): Json {
  const refs = metadata.refs as Record<string, Json>;
  const id = String(update['snapshot-id']);
  const without = (key: string, gone: (item: Json) => boolean): Json[] =>
    ((metadata[key] ?? []) as Json[]).filter((item) => !gone(item));
  switch (update.action) {
    case 'set-properties':
      return { ...metadata, properties: { ...(metadata.properties as Json), ...(update.updates as Json) } };
    case 'add-snapshot': {
      const snapshot = update.snapshot as Json;
      const rows = metadata['next-row-id'];
      return {
        ...metadata,
        snapshots: [...(metadata.snapshots as Json[]), snapshot],
        'last-sequence-number': snapshot['sequence-number'],
        ...(rows === undefined ? {} : { 'next-row-id': Number(rows) + Number(snapshot['added-rows']) }),
      };
    }
    case 'set-snapshot-ref': {
      const ref = { type: update.type, 'snapshot-id': update['snapshot-id'] };
      const changed = { ...metadata, refs: { ...refs, [String(update['ref-name'])]: ref } };
      if (update['ref-name'] !== 'main') return changed;
      const entry = { 'timestamp-ms': metadata['last-updated-ms'], 'snapshot-id': update['snapshot-id'] };
      const log = [...(metadata['snapshot-log'] as Json[]), entry];
      return { ...changed, 'current-snapshot-id': update['snapshot-id'], 'snapshot-log': log };
    }
    case 'remove-snapshot-ref': {
      const { [String(update['ref-name'])]: _, ...left } = refs;
      return { ...metadata, refs: left };
    }
    case 'remove-snapshots': {
      const gone = new Set((update['snapshot-ids'] as unknown[]).map(String));
      const isGone = (item: Json): boolean => gone.has(String(item['snapshot-id']));
      return {
        ...metadata,
        snapshots: without('snapshots', isGone),
        'snapshot-log': without('snapshot-log', isGone),
      };
    }
    case 'remove-statistics':
      return { ...metadata, statistics: without('statistics', (item) => String(item['snapshot-id']) === id) };
    case 'remove-partition-statistics':
      return {
        ...metadata,
        'partition-statistics': without('partition-statistics', (item) => String(item['snapshot-id']) === id),
      };
    default:
      throw new TypeError(`the stub knows no ${update.action}`);
  }
}
