import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson } from '../../../src/values/json.ts';
import { service } from '../services/index.ts';
import type { CanonicalRow } from './canonical.ts';
import { trinoValue } from './trino-value.ts';

/** Trino's SQL. */
export interface Trino {
  /**
   * Runs one statement and gives its rows.
   *
   * @throws TrinoError
   */
  readonly sql: (
    statement: string,
    session?: Readonly<Record<string, string>>,
  ) => Promise<readonly CanonicalRow[]>;
}

/** What Trino answered instead of rows. */
export class TrinoError extends Error {
  override readonly name = 'TrinoError';
  readonly errorName: string;
  constructor(errorName: string, message: string) {
    super(`${errorName}: ${message}`);
    this.errorName = errorName;
  }
}

interface Page {
  readonly nextUri?: string;
  readonly columns?: readonly { readonly name: string; readonly type: string }[];
  readonly data?: readonly (readonly unknown[])[];
  readonly error?: { readonly errorName: string; readonly message: string };
}

/** The Trino of this run, over its own HTTP protocol. */
export async function openTrino(): Promise<Trino> {
  const { uri } = await service('trino');
  return { sql: (statement, session = {}) => query(uri, statement, session) };
}

async function query(
  uri: string,
  statement: string,
  session: Readonly<Record<string, string>>,
): Promise<readonly CanonicalRow[]> {
  const properties = Object.entries(session).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const headers = {
    'x-trino-user': 'interop',
    'x-trino-client-capabilities': 'PARAMETRIC_DATETIME',
    ...(properties.length === 0 ? {} : { 'x-trino-session': properties.join(',') }),
  };
  const rows: CanonicalRow[] = [];
  let page = await pageOf(await fetch(`${uri}/v1/statement`, { method: 'POST', body: statement, headers }));
  for (;;) {
    const { error, data = [], columns = [], nextUri } = page;
    if (error !== undefined) throw new TrinoError(error.errorName, error.message);
    for (const row of data) rows.push(row.map((value, at) => trinoValue(value, columns[at]!.type)));
    if (nextUri === undefined) return rows;
    if (data.length === 0) await sleep(20);
    page = await pageOf(await fetch(nextUri, { headers }));
  }
}

/** A page with its 64-bit numbers exact. */
async function pageOf(response: Response): Promise<Page> {
  const text = await response.text();
  if (!response.ok) throw new Error(`Trino answered ${response.status}: ${text}`);
  return parseJson(text) as Page;
}
