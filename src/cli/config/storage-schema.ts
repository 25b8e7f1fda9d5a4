import * as z from 'zod';
import { table } from '../../governance/toml/read.ts';

const text = z.string().min(1, 'must not be empty');

/** The `storage` of a warehouse, as it is written. */
export const STORAGE = table({
  kind: z.enum(['s3']),
  region: text.optional(),
  endpoint: text.regex(/^https?:\/\//i, 'is an address that begins with http:// or https://').optional(),
  path_style: z.boolean().optional(),
  access_key_env: text.optional(),
  secret_key_env: text.optional(),
  session_token_env: text.optional(),
  temporary: text.optional(),
})
  .refine((storage) => (storage.access_key_env === undefined) === (storage.secret_key_env === undefined), {
    message: 'access_key_env and secret_key_env belong together',
  })
  .refine((storage) => storage.session_token_env === undefined || storage.access_key_env !== undefined, {
    message: 'session_token_env goes with access_key_env and secret_key_env',
  });

const PREFIX = /^([a-z][a-z0-9+.-]*:|\/)/i;

/** The `mounts` of a warehouse: a prefix as metadata writes it, and where its bytes are now. */
export const MOUNTS = z.record(text.regex(PREFIX, 'is a prefix of locations, such as s3://lake/wh/'), text);

/** The `tables` of a warehouse: a name, and the folder of a table that no listing finds. */
export const TABLES = z.record(
  z
    .string()
    .regex(/^[^.\s/]+(\.[^.\s/]+)+$/, 'is a name of parts with dots between them, such as crm.archive'),
  text,
);

export type WrittenStorage = z.infer<typeof STORAGE>;
