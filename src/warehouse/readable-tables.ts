import { RefusedError } from '../errors.ts';
import type { TableDescription, Warehouse } from './warehouse.ts';

/** What is asked of rows before anything changes. */
export type RowReader = Pick<Warehouse, 'list' | 'describe' | 'count' | 'distinct' | 'read'>;

/** Rows of the tables that can be read. */
export interface ReadableTables extends RowReader {
  /** The tables that were asked for and cannot be read, each with why. */
  readonly unreadable: ReadonlyMap<string, RefusedError>;
}

/**
 * A warehouse in which a table whose files the data plane does not read (ORC, Avro) has no rows, instead of ending with
 * `warehouse/unreadable`: what stands in the way of an erasure is gathered in all tables, and a scan looks into all others. The tables
 * are listed, and each is described, once: all that is gathered is about one state of them. What changes them looks again.
 */
export function readableTables(warehouse: RowReader): ReadableTables {
  const unreadable = new Map<string, RefusedError>();
  const described = new Map<string, Promise<TableDescription>>();
  let listed: Promise<readonly string[]> | undefined;
  const note = (table: string, cause: unknown): void => {
    if (!(cause instanceof RefusedError) || cause.code !== 'warehouse/unreadable') throw cause;
    unreadable.set(table, cause);
  };
  const rows = async function* <T>(table: string, read: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* read;
    } catch (cause) {
      note(table, cause);
    }
  };
  return {
    unreadable,
    list: () => {
      listed ??= warehouse.list();
      return listed;
    },
    describe: (table) => {
      const description = described.get(table) ?? warehouse.describe(table);
      described.set(table, description);
      return description;
    },
    count: async (table, where, at) => {
      try {
        return await warehouse.count(table, where, at);
      } catch (cause) {
        note(table, cause);
        return 0;
      }
    },
    distinct: (table, columns, where, options) =>
      rows(table, warehouse.distinct(table, columns, where, options)),
    read: (table, options) => rows(table, warehouse.read(table, options)),
  };
}
