const VERSION = /\/(\d+)-\d+-\d+\//;

/**
 * The version that a schema URL names (`…/2-0-2/OpenLineage.json`), where its model is newer than the known one: such a thing is
 * read as far as it is understood, and reported. Null for a known version, and where the URL names none.
 */
export function futureVersion(schemaUrl: unknown, known: number): string | null {
  if (typeof schemaUrl !== 'string') return null;
  const found = VERSION.exec(schemaUrl);
  return found !== null && Number(found[1]) > known ? found[0].slice(1, -1) : null;
}
