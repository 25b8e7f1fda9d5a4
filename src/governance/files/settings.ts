import * as z from 'zod';
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

/** The sections `[snapshots]`, `[files]` and `[statistics]`, each with its defaults where it is absent. */
export function readSettings(document: TomlDocument): Pick<Governance, 'snapshots' | 'files' | 'statistics'> {
  const age = readSection(document, 'snapshots', snapshots);
  const kept = age.metadata_versions_to_keep;
  return {
    snapshots: {
      maxAgeDays: age.max_age_days,
      minToKeep: age.min_to_keep,
      ...(kept !== undefined && { metadataVersionsToKeep: kept }),
    },
    files: { minAgeHours: readSection(document, 'files', files).min_age_hours },
    statistics: readSection(document, 'statistics', statistics),
  };
}

/** One section; its defaults where it is absent, or has faults, which are noted. */
function readSection<T>(document: TomlDocument, name: string, schema: z.ZodType<T>): T {
  const section = readTable(document, [name]) ?? {};
  return readValue(document, [name], schema, section) ?? schema.parse({});
}
