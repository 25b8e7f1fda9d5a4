import { readdirSync, readFileSync } from 'node:fs';
import { TomlDate } from 'smol-toml';
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import { describe, expect, test } from 'vitest';
import { TomlDocument } from '../../src/governance/toml/document.ts';

const HARD = `
a."b.c".d = 1
"quoted \\u00e9" = 'literal \\n'
text = """
two \\
   lines"""
numbers = [0x1F, 0o17, 0b11, 1_000, -0, +5, 1e3, 6.626e-34, inf, -inf, 9007199254740991]
dates = [2026-10-01, 2026-10-01T07:32:00, 2026-10-01T07:32:00.5Z, 2026-10-01 07:32:00+02:00, 07:32:00]
flags = [true, false]
inline = { x = { y = [{ z = 1 }, { z = 2 }] }, "w.v" = 3 }
[t."x.y"]
k = 1
[[t.list]]
n = 1
[[t.list.inner]]
m = 2
[[t.list]]
n = 3
`;

describe('both TOML parsers read the same values', () => {
  const own = new URL('../../governance/', import.meta.url);
  const files: [string, string][] = [['a hard document', HARD]];
  for (const name of readdirSync(own).filter((file) => file.endsWith('.toml'))) {
    files.push([name, readFileSync(new URL(name, own), 'utf8')]);
  }

  test.each(files)('%s', (name, text) => {
    const document = new TomlDocument(name, text);
    expect(document.faults).toEqual([]);
    expect(plain(document.values)).toEqual(plain(getStaticTOMLValue(parseTOML(text))));
  });
});

test('every key and value of a document has its place', () => {
  const document = new TomlDocument('hard', HARD);
  const lines = HARD.split('\n');
  const textAt = (path: (string | number)[], at: 'key' | 'value') => {
    const { line, column } = document.placeOf(path, at);
    return lines[line - 1]!.slice(column - 1);
  };
  expect(textAt(['a', 'b.c', 'd'], 'key')).toBe('d = 1');
  expect(textAt(['a', 'b.c'], 'key')).toBe('"b.c".d = 1');
  expect(textAt(['quoted é'], 'value')).toBe("'literal \\n'");
  expect(textAt(['numbers', 3], 'value')).toMatch(/^1_000,/);
  expect(textAt(['inline', 'x', 'y', 1, 'z'], 'value')).toMatch(/^2 }/);
  expect(textAt(['inline', 'w.v'], 'key')).toBe('"w.v" = 3 }');
  expect(textAt(['t', 'x.y'], 'key')).toBe('"x.y"]');
  expect(textAt(['t', 'x.y', 'k'], 'key')).toBe('k = 1');
  expect(textAt(['t', 'list', 0, 'inner', 0, 'm'], 'key')).toBe('m = 2');
  expect(textAt(['t', 'list', 1, 'n'], 'value')).toBe('3');
});

/** Without prototypes, and with dates as instants or text. */
function plain(value: unknown): unknown {
  if (value instanceof TomlDate) return value.isTime() ? value.toISOString().slice(0, 8) : value.getTime();
  if (value instanceof Date) {
    // The second parser reads a local time as one of the first day of the year 0.
    return value.getUTCFullYear() <= 0 ? value.toISOString().slice(11, 19) : value.getTime();
  }
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}
