/**
 * Inputs that the statement names more than once where a table is read: it may be joined with itself. Text is never parsed,
 * and only ever makes an answer more careful.
 */
export function mentionedTwice(texts: readonly string[], tables: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const sql of texts) {
    const text = sql.replace(/["`[\]]/g, '');
    for (const table of tables) if (text.includes(table) && readsOf(text, table) > 1) found.add(table);
  }
  return [...found].sort();
}

function readsOf(text: string, table: string): number {
  const name = table.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return (
    text.match(new RegExp(`(?:\\b(?:from|join|using)|,)\\s+(?:\\w+\\.)*${name}(?![\\w.])`, 'gi'))?.length ?? 0
  );
}
