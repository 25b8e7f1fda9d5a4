import { FailedError } from '../../../errors.ts';
import type { Instant } from '../../../values/time.ts';
import type { Json } from './damaged.ts';
import { metadataOf, type TableMetadata } from './metadata.ts';
import { integerProperty } from './properties.ts';

/** One change of a table's metadata, in the words of Iceberg's REST specification, so that a REST catalog takes it as it is. */
export type Update =
  | { readonly action: 'add-snapshot'; readonly snapshot: Json }
  | {
      readonly action: 'set-snapshot-ref';
      readonly 'ref-name': string;
      readonly type: 'branch' | 'tag';
      readonly 'snapshot-id': bigint;
    }
  | { readonly action: 'remove-snapshot-ref'; readonly 'ref-name': string }
  | { readonly action: 'remove-snapshots'; readonly 'snapshot-ids': readonly bigint[] }
  | { readonly action: 'remove-statistics'; readonly 'snapshot-id': bigint }
  | { readonly action: 'remove-partition-statistics'; readonly 'snapshot-id': bigint }
  | { readonly action: 'set-properties'; readonly updates: Readonly<Record<string, string>> };

/** What must still hold when a commit is made, in the words of the REST specification. */
export type Requirement =
  | { readonly type: 'assert-table-uuid'; readonly uuid: string }
  | {
      readonly type: 'assert-ref-snapshot-id';
      readonly ref: string;
      readonly 'snapshot-id': bigint | null;
    };

/**
 * Whether a requirement still holds.
 *
 * @throws FailedError `catalog/conflict` where it does not; the work is then planned again on the newest state (rule E6)
 */
export function checkRequirements(metadata: TableMetadata, requirements: readonly Requirement[]): void {
  for (const requirement of requirements) {
    if (!holds(metadata, requirement)) {
      throw conflict(`${requirement.type} does not hold any more`, { requirement: requirement.type });
    }
  }
}

/** The error for a lost race. */
export function conflict(what: string, data: Json = {}): FailedError {
  return new FailedError('catalog/conflict', `Another writer committed first: ${what}`, {
    remedy: 'Load the table again, plan again, and try again',
    data,
  });
}

function holds(metadata: TableMetadata, requirement: Requirement): boolean {
  switch (requirement.type) {
    case 'assert-table-uuid':
      return metadata.uuid === requirement.uuid;
    case 'assert-ref-snapshot-id':
      return (metadata.refs.get(requirement.ref)?.snapshotId ?? null) === requirement['snapshot-id'];
  }
}

/** Where and when a new version of the metadata follows an old one. */
export interface Succession {
  /** The file the old version was read from; it goes into the log. */
  readonly previousFile: string;
  readonly now: Instant;
}

/**
 * The next version of a table's metadata. Everything that the updates do not touch stays as it was, unknown fields included.
 * `last-updated-ms` never goes back, whatever the clock says.
 *
 * @throws FailedError `catalog/conflict` where a snapshot is to end that a branch or a tag stands on
 */
export function applyUpdates(
  metadata: TableMetadata,
  updates: readonly Update[],
  { previousFile, now }: Succession,
): TableMetadata {
  const lastUpdated = Math.max(now, metadata.lastUpdated);
  let json: Json = { ...metadata.json, 'last-updated-ms': lastUpdated };
  for (const update of updates) json = applied(json, update, lastUpdated);
  const keep = integerProperty(metadata.properties, 'write.metadata.previous-versions-max', 100);
  const log = [
    ...list(json, 'metadata-log'),
    { 'timestamp-ms': metadata.lastUpdated, 'metadata-file': previousFile },
  ];
  json = { ...json, 'metadata-log': log.slice(-Math.max(1, keep)) };
  return metadataOf(previousFile, json);
}

/** Old metadata files that fell off the log, where the table wants them removed with the commit. */
export function forgottenFiles(before: TableMetadata, after: TableMetadata): readonly string[] {
  if (after.properties['write.metadata.delete-after-commit.enabled']?.toLowerCase() !== 'true') return [];
  const kept = new Set(after.metadataLog.map(({ file }) => file));
  return before.metadataLog.map(({ file }) => file).filter((file) => !kept.has(file));
}

function applied(json: Json, update: Update, now: Instant): Json {
  switch (update.action) {
    case 'add-snapshot':
      return withSnapshot(json, update.snapshot);
    case 'set-snapshot-ref':
      return withRef(json, update, now);
    case 'remove-snapshot-ref':
      return { ...json, refs: without(json.refs, update['ref-name']) };
    case 'remove-snapshots':
      return withoutSnapshots(json, new Set(update['snapshot-ids']));
    case 'remove-statistics':
      return withoutStatistics(json, 'statistics', update['snapshot-id']);
    case 'remove-partition-statistics':
      return withoutStatistics(json, 'partition-statistics', update['snapshot-id']);
    case 'set-properties':
      return { ...json, properties: { ...(json.properties as Json | undefined), ...update.updates } };
  }
}

/** Sequence numbers begin with version 2, row ids with version 3. */
function withSnapshot(json: Json, snapshot: Json): Json {
  const version = Number(json['format-version']);
  const next = (): bigint =>
    BigInt(json['next-row-id'] as number | bigint) + BigInt(snapshot['added-rows'] as number | bigint);
  return {
    ...json,
    snapshots: [...list(json, 'snapshots'), snapshot],
    ...(version > 1 ? { 'last-sequence-number': snapshot['sequence-number'] } : {}),
    ...(version > 2 ? { 'next-row-id': next() } : {}),
  };
}

function withRef(json: Json, update: Update & { action: 'set-snapshot-ref' }, now: Instant): Json {
  const { 'ref-name': name, 'snapshot-id': snapshotId, type } = update;
  const refs = (json.refs ?? {}) as Json;
  const ref = { ...(refs[name] as Json | undefined), 'snapshot-id': snapshotId, type };
  // Version 1 has no refs; where a writer put some all the same, they are kept true.
  const without = Number(json['format-version']) === 1 && json.refs === undefined && name === 'main';
  const changed: Json = without ? json : { ...json, refs: { ...refs, [name]: ref } };
  if (name !== 'main') return changed;
  return {
    ...changed,
    'current-snapshot-id': snapshotId,
    'snapshot-log': [...list(json, 'snapshot-log'), { 'timestamp-ms': now, 'snapshot-id': snapshotId }],
  };
}

/**
 * An entry of the log whose snapshot is gone takes all entries before it with it (specification, snapshot log). Another writer may
 * have put a branch or a tag on one of the snapshots meanwhile, which no requirement can rule out: that is a lost race.
 */
function withoutSnapshots(json: Json, gone: ReadonlySet<bigint>): Json {
  for (const [ref, { 'snapshot-id': head }] of Object.entries((json.refs ?? {}) as Record<string, Json>)) {
    if (gone.has(BigInt(head as number | bigint)))
      throw conflict('a snapshot that was to end has a branch or a tag now', { ref });
  }
  const log = list(json, 'snapshot-log');
  const lastGone = log.findLastIndex((entry) => gone.has(snapshotIdOf(entry)));
  const keep = (key: string): readonly unknown[] =>
    list(json, key).filter((item) => !gone.has(snapshotIdOf(item)));
  return {
    ...json,
    snapshots: keep('snapshots'),
    'snapshot-log': log.slice(lastGone + 1),
    ...('statistics' in json ? { statistics: keep('statistics') } : {}),
    ...('partition-statistics' in json ? { 'partition-statistics': keep('partition-statistics') } : {}),
  };
}

function withoutStatistics(json: Json, key: string, snapshotId: bigint): Json {
  return { ...json, [key]: list(json, key).filter((item) => snapshotIdOf(item) !== snapshotId) };
}

function snapshotIdOf(item: unknown): bigint {
  return BigInt((item as Json)['snapshot-id'] as number | bigint);
}

function without(object: unknown, name: string): Json {
  return Object.fromEntries(Object.entries((object ?? {}) as Json).filter(([key]) => key !== name));
}

function list(json: Json, key: string): readonly unknown[] {
  return (json[key] ?? []) as readonly unknown[];
}
