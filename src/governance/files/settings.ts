import { z } from 'zod';
import type { Governance } from '../governance.ts';
import type { TomlDocument } from '../toml/document.ts';
import { readTable, readValue, table } from '../toml/read.ts';

const MODE = /^(?:none|counts|full|truncate\([1-9]\d{0,4}\))$/;
const mode = z
  .string()
  .refine((value) => MODE.test(value), { message: 'is no metrics mode (none, counts, truncate(16), full)' })
  .default('none');

const snapshots = table({
  max_age_days: z.number().min(0).default(5),
  min_to_keep: z.int().min(1).default(1),
  metadata_versions_to_keep: z.int().min(1).optional(),
});
const files = table({ min_age_hours: z.number().min(0).default(72) });
const statistics = table({ personal: mode, sensitive: mode, unclassified: mode });

const DEFAULTS = {
  snapshots: { max_age_days: 5, min_to_keep: 1 },
  files: { min_age_hours: 72 },
  statistics: { personal: 'none', sensitive: 'none', unclassified: 'none' },
} as const;

/** The sections `[snapshots]`, `[files]` and `[statistics]`, each with its defaults where it is absent. */
export function readSettings(document: TomlDocument): Pick<Governance, 'snapshots' | 'files' | 'statistics'> {
  const age = readSection(document, 'snapshots', snapshots) ?? DEFAULTS.snapshots;
  const kept = 'metadata_versions_to_keep' in age ? age.metadata_versions_to_keep : undefined;
  return {
    snapshots: {
      maxAgeDays: age.max_age_days,
      minToKeep: age.min_to_keep,
      ...(kept !== undefined && { metadataVersionsToKeep: kept }),
    },
    files: { minAgeHours: (readSection(document, 'files', files) ?? DEFAULTS.files).min_age_hours },
    statistics: readSection(document, 'statistics', statistics) ?? DEFAULTS.statistics,
  };
}

function readSection<T>(document: TomlDocument, name: string, schema: z.ZodType<T>): T | null {
  const section = readTable(document, [name]);
  return section === null ? null : readValue(document, [name], schema, section);
}
