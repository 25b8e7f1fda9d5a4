import { parse, stringify } from 'lossless-json';
import { InputError } from '../errors.ts';

/**
 * Reads JSON without losing a digit: an integer beyond ±2^53 is a bigint, every other number a number (hazard 34). A
 * `__proto__` key is an ordinary key. Throws `values/json`, which never shows the text.
 */
export function parseJson(text: string): unknown {
  try {
    return parse(text, undefined, { parseNumber: exactNumber });
  } catch (cause) {
    const position = /position (\d+)/.exec(cause instanceof Error ? cause.message : '')?.[1];
    throw new InputError(
      'values/json',
      `Not JSON${position === undefined ? '' : ` at position ${position}`}`,
      {
        remedy: 'The file may be cut short, or be something else than JSON: look at that position',
        data: position === undefined ? {} : { position: Number(position) },
      },
    );
  }
}

/** Writes JSON; a bigint is written exactly, `undefined` is left out. */
export function stringifyJson(value: unknown, indent?: number): string {
  return stringify(value, undefined, indent) ?? 'null';
}

/**
 * The canonical form of RFC 8785 (sorted keys, no blanks), so that equal data have equal digests. Beyond the RFC, a bigint
 * is written in full. Throws `values/json` for a number that JSON cannot write.
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'boolean':
    case 'bigint':
      return value.toString();
    case 'number':
      if (Number.isFinite(value)) return JSON.stringify(value);
      break;
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return canonicalList(value);
      return canonicalObject(value as Readonly<Record<string, unknown>>);
  }
  throw new InputError('values/json', `A ${typeof value} has no canonical JSON form`, {
    remedy: 'Pass plain data: text, finite numbers, bigints, booleans, null, arrays and objects',
  });
}

/** The same text in pieces, for data whose lists are too long to be one string. */
export function* canonicalPieces(value: Readonly<Record<string, unknown>>): Generator<string> {
  let before = '{';
  for (const key of sortedKeys(value)) {
    const item = value[key];
    if (item === undefined) continue;
    const begin = `${before}${quoted(key)}:`;
    before = ',';
    if (!Array.isArray(item)) {
      yield begin + canonicalJson(item);
      continue;
    }
    yield `${begin}[`;
    for (const [at, one] of item.entries()) yield (at > 0 ? ',' : '') + canonicalJson(one ?? null);
    yield ']';
  }
  yield before === '{' ? '{}' : '}';
}

function canonicalList(items: readonly unknown[]): string {
  let text = '[';
  for (let at = 0; at < items.length; at++) {
    if (at > 0) text += ',';
    text += canonicalJson(items[at] ?? null);
  }
  return `${text}]`;
}

function canonicalObject(value: Readonly<Record<string, unknown>>): string {
  const source = hasToJson(value) ? value.toJSON() : value;
  if (source !== value) return canonicalJson(source);
  let text = '{';
  for (const key of sortedKeys(value)) {
    const item = value[key];
    if (item === undefined) continue;
    if (text.length > 1) text += ',';
    text += `${quoted(key)}:${canonicalJson(item)}`;
  }
  return `${text}}`;
}

/** By their UTF-16 code units, as the RFC wants; most objects are of few shapes, whose keys are in order already or soon. */
function sortedKeys(value: object): readonly string[] {
  const keys = Object.keys(value);
  for (let at = 1; at < keys.length; at++) if (keys[at - 1]! > keys[at]!) return keys.sort();
  return keys;
}

/** What JSON escapes: quotes, backslashes, control characters and halves of a pair that stand alone. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u;

function quoted(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function exactNumber(text: string): number | bigint {
  const number = Number(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text) : number;
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
