import * as z from 'zod';
import { table } from '../../governance/toml/read.ts';
import { instantOf } from '../../lineage/read/instant.ts';
import { CATALOG } from './catalog-schema.ts';
import { MOUNTS, STORAGE, TABLES } from './storage-schema.ts';

const text = z.string().min(1, 'must not be empty');

const position = text.refine((time) => instantOf(time) !== null, 'must be a time, like 2026-10-01T00:00:00Z');

const eventApi = table({
  marquez: text,
  token_env: text.optional(),
  from: position.optional(),
  keep: text.optional(),
});

/** The tables of `lethe.toml`, as they are written. What is not built yet is refused here by name. */
export const CONFIG = table({
  governance: text.optional(),
  lineage: z.union([text.transform((one) => [one]), z.array(z.union([text, eventApi]))]).optional(),
  warehouse: table({
    format: z.enum(['iceberg']).optional(),
    engine: z.enum(['embedded']).optional(),
    catalog: CATALOG,
    storage: STORAGE.optional(),
    mounts: MOUNTS.optional(),
    tables: TABLES.optional(),
  }).optional(),
  register: table({
    path: text,
    key_env: text.optional(),
    keys: z.record(z.string(), text).optional(),
    current: text.optional(),
  })
    .refine((register) => (register.key_env === undefined) !== (register.keys === undefined), {
      message: 'exactly one of key_env and keys names the variables that hold the register keys',
    })
    .refine(
      ({ keys, current }) => keys === undefined || (current !== undefined && Object.hasOwn(keys, current)),
      {
        message: 'current must be one of the ids in keys',
      },
    )
    .optional(),
  job: table({ state: text.optional() }).optional(),
  evidence: table({ path: text }).optional(),
  jobs: z
    .record(
      z.string(),
      table({
        makes: z.array(text).min(1),
        replaces: z.enum(['all']).optional(),
        run: z.array(text).min(1),
      }),
    )
    .optional(),
});

export type WrittenConfig = z.infer<typeof CONFIG>;
