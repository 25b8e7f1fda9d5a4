import { RefusedError } from '../../../errors.ts';
import type { Schema } from '../../schema.ts';
import { schemaFields } from '../metadata/schema.ts';

/** How much a manifest says of one column (property `write.metadata.metrics.…`). */
export type MetricsMode =
  /** Nothing, not even its size. */
  | { readonly kind: 'none' }
  /** Sizes and counts, no bounds. */
  | { readonly kind: 'counts' }
  /** Bounds of text and bytes are cut to `length` code points or bytes. */
  | { readonly kind: 'truncate'; readonly length: number }
  | { readonly kind: 'full' };

const PREFIX = 'write.metadata.metrics.';
const DEFAULT: MetricsMode = { kind: 'truncate', length: 16 };

/**
 * The mode of every primitive field, nested ones too, by field id, as Iceberg's writers decide it: the column's own
 * property; else truncate(16) for a sort column where the default says none or counts; else the default property; else
 * truncate(16), for only the first `max-inferred-column-defaults` (100) fields, top-level ones first.
 *
 * @throws RefusedError `iceberg/metrics-mode` for a mode that nobody knows: to guess could write a value into a manifest.
 */
export function metricsModes(
  schema: Schema,
  properties: Readonly<Record<string, string>>,
  sortFieldIds: readonly number[] = [],
): ReadonlyMap<number, MetricsMode> {
  const leaves = primitiveFields(schema);
  const inherited = defaults(leaves, properties);
  return new Map(
    leaves.map(({ id, name }) => {
      const own = properties[`${PREFIX}column.${name}`];
      if (own !== undefined) return [id, parseMode(own, `${PREFIX}column.${name}`)];
      const mode = inherited(id);
      const promoted = sortFieldIds.includes(id) && (mode.kind === 'none' || mode.kind === 'counts');
      return [id, promoted ? DEFAULT : mode];
    }),
  );
}

function defaults(
  leaves: readonly Leaf[],
  properties: Readonly<Record<string, string>>,
): (id: number) => MetricsMode {
  const set = properties[`${PREFIX}default`];
  if (set !== undefined) {
    const mode = parseMode(set, `${PREFIX}default`);
    return () => mode;
  }
  const limit = Number(properties[`${PREFIX}max-inferred-column-defaults`] ?? 100);
  const inferred = new Set(leaves.slice(0, limit).map(({ id }) => id));
  return (id) => (inferred.has(id) ? DEFAULT : { kind: 'none' });
}

function parseMode(text: string, property: string): MetricsMode {
  const mode = text.trim().toLowerCase();
  if (mode === 'none' || mode === 'counts' || mode === 'full') return { kind: mode };
  const length = Number(/^truncate\((\d+)\)$/.exec(mode)?.[1] ?? 0);
  if (length > 0) return { kind: 'truncate', length };
  throw new RefusedError(
    'iceberg/metrics-mode',
    `Table property ${property} is ${JSON.stringify(text)}, which is no metrics mode`,
    { remedy: 'Set it to none, counts, truncate(N) or full', data: { property } },
  );
}

interface Leaf {
  readonly id: number;
  readonly name: string;
}

/** Primitive fields at any depth by full name, outer ones first. */
function primitiveFields(schema: Schema): readonly Leaf[] {
  return [...schemaFields(schema)]
    .filter(({ type }) => typeof type === 'string')
    .sort((a, b) => a.path.length - b.path.length)
    .map(({ id, path }) => ({ id, name: path.join('.') }));
}
