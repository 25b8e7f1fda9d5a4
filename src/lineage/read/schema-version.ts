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

/** Reports a facet of a newer model than the known one, which is 1 for all of them. */
export function reportFuture(
  facets: Readonly<Record<string, unknown>>,
  names: readonly string[],
  fault: (why: string) => void,
): void {
  for (const name of names) {
    const facet = facets[name];
    if (typeof facet !== 'object' || facet === null) continue;
    const future = futureVersion((facet as { readonly _schemaURL?: unknown })._schemaURL, 1);
    if (future !== null) fault(`${name} is of version ${future}, which is not known; it was read as 1`);
  }
}
