import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Table, tableFromIPC } from 'apache-arrow';
import { service } from './services/index.ts';
import { askOn } from './services/socket.ts';

/** What PyIceberg says of a table. */
export interface PeerTable {
  readonly formatVersion: number;
  readonly snapshots: readonly string[];
  readonly current: string | null;
  readonly properties: Readonly<Record<string, string>>;
  readonly columns: readonly (readonly [name: string, type: string])[];
  readonly entries: readonly PeerEntry[];
}

/** A manifest entry as PyIceberg's own reader gives it; a bound by the full name of its column. */
export interface PeerEntry {
  readonly manifest: string;
  /** 0 existing, 1 added, 2 deleted. */
  readonly status: number;
  readonly lower: Readonly<Record<string, unknown>>;
  readonly upper: Readonly<Record<string, unknown>>;
}

export interface PeerErasure extends PeerTable {
  /** Files that its sweep removed. */
  readonly swept: number;
  /** Rows of the person that it still reads. */
  readonly left: number;
  readonly rows: number;
}

/** Reads every table of a directory catalog with PyIceberg. */
export async function peerRead(warehouse: string, out: string): Promise<Readonly<Record<string, PeerTable>>> {
  return ask('peer_read', { warehouse, out });
}

/** The rows that {@link peerRead} read. */
export async function peerRows(out: string, table: string): Promise<Table> {
  return tableFromIPC(await readFile(join(out, `${table}.arrow`)));
}

/** Lets PyIceberg make a table, delete one person, expire and sweep. */
export async function peerErase(options: {
  /** An Arrow file with the rows. */
  readonly rows: string;
  readonly folder: string;
  readonly table: string;
  readonly column: string;
  readonly person: number;
}): Promise<PeerErasure> {
  return ask('peer_erase', options);
}

/** The rows of a table whose files lie where `mounts` says, a folder for each prefix of a location. */
export async function peerRowsOf(options: {
  readonly metadata: string;
  readonly mounts: Readonly<Record<string, string>>;
  /** A file that is made. */
  readonly out: string;
}): Promise<Table> {
  await ask('read_mounted', options);
  return tableFromIPC(await readFile(options.out));
}

async function ask<T>(command: string, args: object): Promise<T> {
  const { socket } = await service('pyiceberg');
  return JSON.parse(await askOn(socket, `/${command}`, args)) as T;
}
