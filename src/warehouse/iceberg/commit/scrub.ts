import type { StagedScrub } from '../../table-format.ts';
import type { CommitNote } from '../../warehouse.ts';
import type { ManifestEntry } from '../manifest/manifest-list.ts';
import type { NewEntry } from '../manifest/manifest-writer.ts';
import { snapshotAt, type TableMetadata } from '../metadata/metadata.ts';
import type { Update } from '../metadata/updates.ts';
import type { TableReader } from '../read/table-reader.ts';
import { type MetricsRules, metricsRules, scrubMetrics } from './scrub-metrics.ts';
import { mainUnchanged, SnapshotWriter, type StageContext } from './stage.ts';

/**
 * Writes the current snapshot's manifests again without deleted entries and with no more metrics than the table's properties
 * allow, and drops the statistics files, whose sketches and partition values outlive a row (hazards 19, 20, 26, 40). Data files
 * are neither read nor written. Manifests that say nothing too much stay as they are.
 *
 * Null where there is nothing to do.
 */
export async function stageScrub(context: StageContext, note: CommitNote): Promise<StagedScrub | null> {
  const { reader } = context;
  const { metadata } = reader;
  const { kept, dirty } = await sorted(reader, metricsRules(metadata));
  const statistics = [...metadata.statistics, ...metadata.partitionStatistics].map(({ path }) => path);
  if (dirty.length === 0 && statistics.length === 0) return null;
  const snapshot = dirty.length === 0 ? null : await rewrite(context, { kept, dirty, note });
  return {
    snapshotId: snapshot?.snapshotId ?? null,
    requirements: mainUnchanged(metadata),
    updates: [...(snapshot?.updates ?? []), ...withoutStatistics(metadata)],
    counts: {
      manifestsRewritten: dirty.length,
      entriesDropped: sum(dirty.map(({ entriesDropped }) => entriesDropped)),
      boundsDropped: sum(dirty.map(({ boundsDropped }) => boundsDropped)),
      statisticsFilesDropped: statistics.length,
    },
    dropped: statistics,
  };
}

/** A manifest that says too much, and what it is to say. */
interface DirtyManifest {
  readonly manifest: ManifestEntry;
  readonly entries: readonly NewEntry[];
  readonly entriesDropped: number;
  readonly boundsDropped: number;
}

interface Sorted {
  readonly kept: readonly ManifestEntry[];
  readonly dirty: readonly DirtyManifest[];
}

async function sorted(reader: TableReader, rules: MetricsRules): Promise<Sorted> {
  const kept: ManifestEntry[] = [];
  const dirty: DirtyManifest[] = [];
  for (const manifest of await reader.manifests(snapshotAt(reader.metadata))) {
    const all = await reader.entries(manifest);
    const live = all.filter(({ status }) => status !== 'deleted');
    const scrubbed = live.map((entry) => ({ entry, ...scrubMetrics(entry.file, rules) }));
    if (live.length === all.length && scrubbed.every(({ changed }) => !changed)) kept.push(manifest);
    else {
      dirty.push({
        manifest,
        entries: scrubbed.map(({ entry, metrics }) => ({
          ...entry,
          status: 'existing',
          file: { ...entry.file, metrics },
        })),
        entriesDropped: all.length - live.length,
        boundsDropped: sum(scrubbed.map(({ boundsDropped }) => boundsDropped)),
      });
    }
  }
  return { kept, dirty };
}

async function rewrite(context: StageContext, { kept, dirty, note }: Sorted & { readonly note: CommitNote }) {
  const writer = new SnapshotWriter(context);
  for (const { manifest, entries } of dirty) {
    if (entries.length > 0) await writer.manifest(manifest.specId, manifest.content, entries);
  }
  return writer.finish({
    operation: 'replace',
    added: [],
    removed: [],
    kept,
    replaced: dirty.length,
    note,
  });
}

function withoutStatistics({ statistics, partitionStatistics }: TableMetadata): readonly Update[] {
  return [
    ...distinctSnapshots(statistics).map((id) => ({
      action: 'remove-statistics' as const,
      'snapshot-id': id,
    })),
    ...distinctSnapshots(partitionStatistics).map((id) => ({
      action: 'remove-partition-statistics' as const,
      'snapshot-id': id,
    })),
  ];
}

function distinctSnapshots(files: TableMetadata['statistics']): readonly bigint[] {
  return [...new Set(files.map(({ snapshotId }) => snapshotId))];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
