/** A calendar day as an ISO 8601 date, `2026-10-01`. */
export type Day = string;

/** Milliseconds since 1970-01-01T00:00:00Z, as Iceberg's `timestamp-ms` counts. */
export type Instant = number;

/** Where the present comes from. The library never reads one by itself (design R1). */
export interface Clock {
  now(): Instant;
}

/** Where names and ids of tables, snapshots and files come from; the same bytes give the same names. */
export interface Random {
  bytes(count: number): Uint8Array;
}
