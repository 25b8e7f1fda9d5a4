import * as z from 'zod';
import { table } from '../../governance/toml/read.ts';

const text = z.string().min(1, 'must not be empty');
const locations = z.array(text).min(1).optional();

const directory = table({
  kind: z.literal('directory'),
  path: text,
  take_over: z.boolean().optional(),
});

const sql = table({
  kind: z.literal('sql'),
  url: text.optional(),
  url_env: text.optional(),
  password_env: text.optional(),
  name: text.optional(),
  warehouse: text.optional(),
  locations,
}).refine((catalog) => (catalog.url === undefined) !== (catalog.url_env === undefined), {
  message: 'exactly one of url and url_env says where the database is',
});

const rest = table({
  kind: z.literal('rest'),
  uri: text,
  warehouse: text.optional(),
  prefix: text.optional(),
  token_env: text.optional(),
  client_id_env: text.optional(),
  client_secret_env: text.optional(),
  scope: text.optional(),
  token_url: text.optional(),
  audience: text.optional(),
  resource: text.optional(),
  sigv4: table({ region: text, service: text }).optional(),
  locations,
})
  .refine((catalog) => (catalog.client_id_env === undefined) === (catalog.client_secret_env === undefined), {
    message: 'client_id_env and client_secret_env belong together',
  })
  .refine(
    (catalog) =>
      [catalog.token_env, catalog.client_id_env, catalog.sigv4].filter((one) => one !== undefined).length < 2,
    { message: 'a catalog takes one of token_env, client_id_env with client_secret_env, and sigv4' },
  );

/** The `catalog` of a warehouse, as it is written. */
export const CATALOG = z.discriminatedUnion('kind', [directory, sql, rest], {
  error: ({ code }) => (code === 'invalid_union' ? 'kind is one of directory, sql and rest' : undefined),
});

export type WrittenCatalog = z.infer<typeof CATALOG>;
