import type { Canonical } from './canonical.ts';

/** A value of Trino's protocol in the form in which all readers are compared. */
export function trinoValue(value: unknown, type: string): Canonical {
  if (value === null || value === undefined) return null;
  const [, name, inner] = /^([a-z ]+)(?:\((.*)\))?/.exec(type) ?? [];
  if (name === 'array') return (value as unknown[]).map((one) => trinoValue(one, inner!));
  if (name === 'row')
    return (value as unknown[]).map((one, at) => trinoValue(one, fieldType(members(inner!)[at]!)));
  if (name === 'map') {
    const [key, member] = members(inner!) as [string, string];
    const pairs = Object.entries(value as object).map(([k, v]) => [
      trinoValue(k, key),
      trinoValue(v, member),
    ]);
    return pairs.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  }
  if (name === 'varbinary') return Buffer.from(value as string, 'base64').toString('hex');
  if (type.startsWith('timestamp')) return (value as string).replace(/ UTC$/, '').replace(' ', 'T');
  if (typeof value === 'boolean') return value;
  return String(value);
}

/** The types that a comma at the outermost level parts. */
function members(types: string): readonly string[] {
  const found: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at < types.length; at++) {
    if (types[at] === '(') depth++;
    if (types[at] === ')') depth--;
    if (types[at] !== ',' || depth > 0) continue;
    found.push(types.slice(from, at).trim());
    from = at + 1;
  }
  return [...found, types.slice(from).trim()];
}

/** The type of a member of a row, which is written with its name before it. */
function fieldType(member: string): string {
  return member.replace(/^("(?:[^"]|"")*"|\S+) /, '');
}
