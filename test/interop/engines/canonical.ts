/**
 * A value as text that does not depend on who read it: numbers in decimal, decimals with their scale, days `2026-01-31`, instants
 * `2026-01-31T12:00:00.000000` in UTC, bytes in hex; a list or struct as its members, a map as pairs sorted by key.
 */
export type Canonical = null | boolean | string | readonly Canonical[];

export type CanonicalRow = readonly Canonical[];

/** Rows in one order, each as one text, so that those of two readers can be compared. */
export function rowTexts(rows: readonly CanonicalRow[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}
