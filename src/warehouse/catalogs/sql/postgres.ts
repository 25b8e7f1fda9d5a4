import type { Client, ClientConfig } from 'pg';
import { FailedError, InputError } from '../../../errors.ts';
import { shownAddress } from './address.ts';
import type { Database, Row, Statement } from './database.ts';
import { connectionLost, noDriver, sqlFailed, unreachable } from './failures.ts';

/** What {@link openPostgres} needs. */
export interface PostgresOptions {
  readonly url: URL;
  /** Outranks one in the url. */
  readonly password?: string;
  /** Milliseconds that one statement may take; afterwards its connection is given up. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 60_000;

/**
 * A Postgres database over one connection, opened when first needed and again after it was lost.
 *
 * @throws InputError `catalog/no-driver`
 */
export async function openPostgres({
  url,
  password,
  timeoutMs = TIMEOUT_MS,
}: PostgresOptions): Promise<Database> {
  const Driver = await driver();
  const shown = shownAddress(url);
  const config: ClientConfig = {
    connectionString: url.href,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    application_name: 'lethe',
    keepAlive: true,
    ...(password === undefined ? {} : { password }),
  };
  let connection: Promise<Client> | undefined;

  const connected = async (): Promise<Client> => {
    connection ??= (async () => {
      const client = new Driver(config);
      // Without a listener a connection that ends while nobody asks ends the process.
      client.on('error', () => forget());
      try {
        await client.connect();
        return client;
      } catch (cause) {
        client.end().catch(() => {});
        throw refusedEntry(shown, cause);
      }
    })().catch((cause: unknown) => {
      connection = undefined;
      throw cause;
    });
    return connection;
  };
  const forget = (): void => {
    connection?.then((client) => client.end()).catch(() => {});
    connection = undefined;
  };
  const carryOut = async ({ parts, values }: Statement): Promise<{ rows: Row[]; count: number }> => {
    const client = await connected();
    const text = parts.map((part, index) => (index === 0 ? part : `$${index}${part}`)).join('');
    try {
      const { rows, rowCount } = await client.query<Row>(text, [...values]);
      return { rows, count: rowCount ?? 0 };
    } catch (cause) {
      const state = stateOf(cause);
      if (state !== null && !isEnd(state)) throw sqlFailed(shown, state, '');
      forget();
      throw connectionLost(shown, state ?? networkCode(cause));
    }
  };
  return {
    shown,
    rows: async (statement) => (await carryOut(statement)).rows,
    run: async (statement) => (await carryOut(statement)).count,
    columns: async (table) => {
      const text = 'SELECT attname FROM pg_attribute WHERE attrelid = to_regclass(';
      const { rows } = await carryOut({
        parts: [text, ') AND attnum > 0 AND NOT attisdropped'],
        values: [table],
      });
      return new Set(rows.map(({ attname }) => (attname ?? '').toLowerCase()));
    },
    close: async () => {
      const open = connection;
      connection = undefined;
      await open?.then((client) => client.end()).catch(() => {});
    },
  };
}

async function driver(): Promise<typeof Client> {
  try {
    const { default: pg } = await import('pg');
    return pg.Client;
  } catch {
    throw noDriver('pg', 'Postgres');
  }
}

/** Why no connection was made. The driver's text is not told: it can quote the address. */
function refusedEntry(shown: string, cause: unknown): FailedError | InputError {
  const state = stateOf(cause);
  if (state?.startsWith('28') || (state === null && /password|SASL|SCRAM/i.test(String(cause)))) {
    return new FailedError(
      'catalog/unauthorized',
      `The database at ${shown} does not let this user in (${state ?? 'password'})`,
      {
        remedy:
          'Nothing was changed by this step. Give the right user and password; a password is passed apart from the url',
        data: { catalog: shown, error: state },
      },
    );
  }
  if (state === '3D000') {
    return new InputError('catalog/no-database', `There is no database at ${shown}`, {
      remedy: 'Correct the database in the url of the catalog, or make it first',
      data: { catalog: shown },
    });
  }
  return unreachable(shown, state ?? networkCode(cause));
}

/** The SQLSTATE of an error that the server itself sent. */
function stateOf(cause: unknown): string | null {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /^[0-9A-Z]{5}$/.test(code) && cause instanceof Error && 'severity' in cause ? code : null;
}

/** The server ends the connection (shutdown, crash, a connection exception), or cannot say whether the statement was carried out. */
function isEnd(state: string): boolean {
  return state.startsWith('57P') || state.startsWith('08') || state === '40003';
}

function networkCode(cause: unknown): string {
  if (cause instanceof AggregateError) return networkCode(cause.errors[0]);
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (/^E[A-Z]+$/.test(code)) return code;
  return /timeout/i.test(String(cause)) ? 'timeout' : 'connection ended';
}
