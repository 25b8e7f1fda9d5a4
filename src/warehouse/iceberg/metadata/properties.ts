/** A table property that is a number; the default where it is absent or none. */
export function integerProperty(
  properties: Readonly<Record<string, string>>,
  name: string,
  otherwise: number,
): number {
  const text = properties[name];
  return text !== undefined && /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : otherwise;
}

/**
 * Whether files of the table may be removed. Java reads `gc.enabled` with `Boolean.parseBoolean`: `TRUE` is true, anything
 * that is not "true" turns it off.
 */
export function garbageCollected(properties: Readonly<Record<string, string>>): boolean {
  return (properties['gc.enabled'] ?? 'true').toLowerCase() === 'true';
}
