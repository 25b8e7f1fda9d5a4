import * as z from 'zod';
import { isTable, type TomlDocument, type TomlTable } from './document.ts';
import type { KeyPath } from './places.ts';

/**
 * A zod table that names its keys, for the message about an unknown one. Sections whose keys are names (of tables, of
 * subjects) are read by {@link readNamed} instead: any text can be a name there, `constructor` too.
 */
export function table<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? Object.keys(shape).join(SEPARATOR) : undefined),
  });
}

const SEPARATOR = '\n';
/** What a value of a schema is called in a message. */
const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a table',
  date: 'a day',
};

/** Reads one value by its schema; null, with every fault noted, where it does not fit. */
export function readValue<T>(
  document: TomlDocument,
  path: KeyPath,
  schema: z.ZodType<T>,
  value: unknown,
): T | null {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const { issues } = result.error;
  for (const issue of issues) if (!isConsequence(issue, issues)) noteIssue(document, path, issue);
  return null;
}

/** A rule about a whole table says nothing new where a key in it is already wrong. */
function isConsequence(issue: z.core.$ZodIssue, all: readonly z.core.$ZodIssue[]): boolean {
  if (issue.code !== 'custom') return false;
  return all.some(
    (other) =>
      other !== issue &&
      (other.path.length > issue.path.length || other.code === 'unrecognized_keys') &&
      issue.path.every((segment, index) => other.path[index] === segment),
  );
}

/** Reads every entry of a table whose keys are names. Entries with faults are left out, their faults noted. */
export function readNamed<T>(
  document: TomlDocument,
  path: KeyPath,
  read: (value: unknown, path: KeyPath, name: string) => T | null,
): Map<string, T> {
  const entries = new Map<string, T>();
  for (const [name, value] of Object.entries(readTable(document, path) ?? {})) {
    const entryPath = [...path, name];
    if (name.trim() === '') {
      document.fault({
        code: 'governance/blank-name',
        path: entryPath,
        atKey: true,
        message: 'a name is blank',
      });
      continue;
    }
    const entry = read(value, entryPath, name);
    if (entry !== null) entries.set(name, entry);
  }
  return entries;
}

/** The table at a path, null where there is none; a fault where something else stands there. */
export function readTable(document: TomlDocument, path: KeyPath): TomlTable | null {
  const value = document.valueAt(path);
  if (value === undefined) return null;
  if (isTable(value)) return value;
  document.fault({ code: 'governance/wrong-type', path, message: 'expected a table', found: value });
  return null;
}

/** Notes a fault for every key of the table at `path` that is not allowed there. */
export function onlyKeys(document: TomlDocument, path: KeyPath, allowed: readonly string[]): void {
  const value = document.valueAt(path);
  if (!isTable(value)) return;
  for (const key of Object.keys(value))
    if (!allowed.includes(key)) unknownKey(document, [...path, key], allowed);
}

function noteIssue(document: TomlDocument, base: KeyPath, issue: z.core.$ZodIssue): void {
  const path = [...base, ...issue.path.filter((segment) => typeof segment !== 'symbol')];
  switch (issue.code) {
    case 'unrecognized_keys':
      for (const key of issue.keys)
        unknownKey(document, [...path, key], issue.message.split(SEPARATOR), issue.input);
      return;
    case 'invalid_type':
      if (issue.input === undefined) missingKey(document, path, EXPECTED[issue.expected] ?? issue.expected);
      else wrongType(document, path, EXPECTED[issue.expected] ?? issue.expected, issue.input);
      return;
    case 'invalid_value':
      if (issue.input === undefined) missingKey(document, path, issue.values.map(String).join(', '));
      else wrongValue(document, path, issue.input, issue.values.map(String));
      return;
    case 'too_small':
      document.fault({
        code: 'governance/wrong-value',
        path,
        message: issue.origin === 'array' ? 'the list is empty' : `must be at least ${issue.minimum}`,
        found: issue.input,
      });
      return;
    case 'too_big':
      document.fault({
        code: 'governance/wrong-value',
        path,
        message: `must be at most ${issue.maximum}`,
        found: issue.input,
      });
      return;
    default: {
      // A message that shows the value needs no second showing.
      const told = typeof issue.input === 'string' && issue.message.includes(JSON.stringify(issue.input));
      document.fault({
        code: (issue.code === 'custom' && (issue.params?.code as string)) || 'governance/wrong-value',
        path,
        message: issue.message,
        found: told || isTable(issue.input) ? undefined : issue.input,
      });
    }
  }
}

function unknownKey(
  document: TomlDocument,
  path: KeyPath,
  allowed: readonly string[],
  holder?: unknown,
): void {
  const key = path.at(-1)!;
  const value = isTable(holder) ? holder[key] : document.valueAt(path);
  // `[tables.crm.learners]` is a table learners inside a table crm.
  const dotted = isTable(value) && path.length > 1;
  document.fault({
    code: 'governance/unknown-key',
    path,
    atKey: true,
    message: dotted ? 'unknown key (a name with a dot needs quotes: "crm.learners")' : 'unknown key',
    allowed,
  });
}

function missingKey(document: TomlDocument, path: KeyPath, expected: string): void {
  document.fault({
    code: 'governance/missing-key',
    path,
    atKey: true,
    message: 'missing',
    allowed: [expected],
    candidates: [],
  });
}

function wrongType(document: TomlDocument, path: KeyPath, expected: string, found: unknown): void {
  document.fault({
    code: 'governance/wrong-type',
    path,
    message: `expected ${expected}`,
    found,
    candidates: [],
  });
}

function wrongValue(document: TomlDocument, path: KeyPath, found: unknown, allowed: readonly string[]): void {
  document.fault({
    code: 'governance/wrong-value',
    path,
    message: 'not one of the values allowed',
    found,
    allowed,
  });
}
