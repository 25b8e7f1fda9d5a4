import { Buffer } from 'node:buffer';
import type { DataFile, FileMetrics } from '../../data-file.ts';
import type { PrimitiveType } from '../../schema.ts';
import type { TableMetadata } from '../metadata/metadata.ts';
import { schemaFields } from '../metadata/schema.ts';
import { bound } from '../metrics/bounds.ts';
import { type MetricsMode, metricsModes } from '../metrics/modes.ts';

/** What a manifest may say of each column, by field id. */
export interface MetricsRules {
  readonly modes: ReadonlyMap<number, MetricsMode>;
  readonly types: ReadonlyMap<number, PrimitiveType>;
}

/** The rules of a table as its properties are now. */
export function metricsRules({ schema, properties, defaultSortFieldIds }: TableMetadata): MetricsRules {
  const types = new Map<number, PrimitiveType>();
  for (const { id, type } of schemaFields(schema)) if (typeof type === 'string') types.set(id, type);
  return { modes: metricsModes(schema, properties, defaultSortFieldIds), types };
}

/** Metrics as the rules allow, and what was too much. */
export interface ScrubbedMetrics {
  readonly metrics: FileMetrics;
  readonly changed: boolean;
  /** Bounds that went or were cut. */
  readonly boundsDropped: number;
}

/** Ids above this are reserved: columns of position delete files, which find their data files by full bounds. */
const FIRST_RESERVED = 2147483447;
const NONE: MetricsMode = { kind: 'none' };
const FULL: MetricsMode = { kind: 'full' };

/**
 * Takes from a file's metrics what the rules do not allow. A column that the schema has dropped is allowed nothing: nobody
 * classifies it any more, while its values are still in the files.
 */
export function scrubMetrics({ metrics }: DataFile, rules: MetricsRules): ScrubbedMetrics {
  let changed = false;
  let boundsDropped = 0;
  const modeOf = (id: number): MetricsMode => (id > FIRST_RESERVED ? FULL : (rules.modes.get(id) ?? NONE));
  // Most files say nothing too much: their maps stay what they are.
  const counted = (counts: ReadonlyMap<number, bigint>): ReadonlyMap<number, bigint> => {
    let kept: Map<number, bigint> | undefined;
    for (const id of counts.keys()) {
      if (modeOf(id).kind !== 'none') continue;
      kept ??= new Map(counts);
      kept.delete(id);
    }
    changed ||= kept !== undefined;
    return kept ?? counts;
  };
  const bounded = (
    end: 'lower' | 'upper',
    bounds: ReadonlyMap<number, Uint8Array>,
  ): ReadonlyMap<number, Uint8Array> => {
    let kept: Map<number, Uint8Array> | undefined;
    for (const [id, value] of bounds) {
      const allowed = allowedBound(end, value, { mode: modeOf(id), type: rules.types.get(id) });
      if (allowed === value || (allowed !== undefined && Buffer.compare(allowed, value) === 0)) continue;
      kept ??= new Map(bounds);
      boundsDropped += 1;
      if (allowed === undefined) kept.delete(id);
      else kept.set(id, allowed);
    }
    return kept ?? bounds;
  };
  const scrubbed: FileMetrics = {
    columnSizes: counted(metrics.columnSizes),
    valueCounts: counted(metrics.valueCounts),
    nullCounts: counted(metrics.nullCounts),
    nanCounts: counted(metrics.nanCounts),
    lowerBounds: bounded('lower', metrics.lowerBounds),
    upperBounds: bounded('upper', metrics.upperBounds),
  };
  return { metrics: scrubbed, changed: changed || boundsDropped > 0, boundsDropped };
}

interface Allowance {
  readonly mode: MetricsMode;
  readonly type: PrimitiveType | undefined;
}

/** Only text and binary are ever cut; a value of another type, or of a type promoted since, stays as it was written. */
function allowedBound(
  end: 'lower' | 'upper',
  value: Uint8Array,
  { mode, type }: Allowance,
): Uint8Array | undefined {
  if (mode.kind === 'none' || mode.kind === 'counts') return undefined;
  if (type !== 'string' && type !== 'binary') return value;
  // A code point takes a byte at least, so this many bytes need no cut.
  if (mode.kind === 'full' || value.length <= mode.length) return value;
  return bound(end, value, { type, mode });
}
