import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { LetheError } from '../../../src/errors.ts';
import type { Predicate } from '../../../src/predicate/index.ts';
import type { DataFile } from '../../../src/warehouse/data-file.ts';
import type { DataPlane, PlaneFile, PlaneTable, WriteTarget } from '../../../src/warehouse/data-plane.ts';
import type { Field } from '../../../src/warehouse/schema.ts';
import { plain } from './build.ts';
import { cellsOf, type Row, rowsTable } from './rows.ts';

/** A folder of a table's data files, and the target that names new ones in it. */
export interface Place {
  readonly folder: string;
  readonly target: WriteTarget;
}

export interface TableOptions {
  readonly properties?: Readonly<Record<string, string>>;
  readonly sortFieldIds?: readonly number[];
  readonly structuralFieldIds?: readonly number[];
  /** Path of the folder inside the laboratory. */
  readonly folder?: string;
}

/** A plane under test and a private folder for its tables. */
export class Laboratory {
  #plane: DataPlane | null = null;
  #root = '';
  #folders = 0;

  async open(plane: DataPlane): Promise<void> {
    this.#plane = plane;
    this.#root = await mkdtemp(join(tmpdir(), 'lethe-test-'));
  }

  async close(): Promise<void> {
    await this.#plane?.close();
    await rm(this.#root, { recursive: true, force: true });
  }

  get plane(): DataPlane {
    return this.#plane!;
  }

  async place(name = `t${++this.#folders}`): Promise<Place> {
    const folder = join(this.#root, name, 'data');
    await mkdir(folder, { recursive: true });
    let next = 0;
    return {
      folder,
      target: { next: (extension) => join(folder, `${String(next++).padStart(5, '0')}.${extension}`) },
    };
  }

  /** A new table with one file for each part. */
  async write(
    fields: readonly Field[],
    parts: readonly (readonly Row[])[],
    options: TableOptions = {},
  ): Promise<Place & { readonly table: PlaneTable; readonly files: readonly PlaneFile[] }> {
    const table = tableOf(fields, options);
    const at = await this.place(options.folder);
    const files: DataFile[] = [];
    for (const rows of parts)
      files.push(...(await this.plane.write(table, rowsTable(fields, rows), at.target)));
    return { table, files: files.map(plain), ...at };
  }

  async readAll(table: PlaneTable, files: readonly PlaneFile[], where?: Predicate): Promise<Row[]> {
    const rows: Row[] = [];
    const options = where === undefined ? {} : { where };
    for await (const batch of this.plane.read(table, files, options)) rows.push(...cellsOf(batch));
    return rows;
  }
}

export function tableOf(fields: readonly Field[], options: TableOptions = {}): PlaneTable {
  return {
    table: 'crm.people',
    schema: { id: 0, fields, identifierFieldIds: [] },
    properties: options.properties ?? {},
    structuralFieldIds: options.structuralFieldIds ?? [],
    sortFieldIds: options.sortFieldIds ?? [],
  };
}

/** The error of work that must fail. */
export async function failure(work: Promise<unknown>): Promise<LetheError> {
  return work.then(
    () => expect.unreachable('it should fail'),
    (error: LetheError) => error,
  );
}

/** Reads a stream to its end. */
export async function drain(rows: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of rows);
}
