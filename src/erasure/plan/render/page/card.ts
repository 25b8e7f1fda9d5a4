/** The sizes of a table's card, in pixels: the layout reserves them, and the page draws to them. */
export const CARD = {
  width: 252,
  /** Name and action. */
  head: 50,
  row: 22,
  /** Above the first row and below the last. */
  pad: 7,
  /** Columns beyond this are counted, not listed. */
  rows: 14,
} as const;

/** The height of a card that lists `columns` columns; 0 for one that shows none. */
export function cardHeight(columns: number): number {
  if (columns === 0) return CARD.head;
  const rows = columns > CARD.rows ? CARD.rows + 1 : columns;
  return CARD.head + rows * CARD.row + 2 * CARD.pad;
}
