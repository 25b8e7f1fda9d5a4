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
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value === 'object') {
    const source = hasToJson(value) ? value.toJSON() : value;
    if (source !== value) return canonicalJson(source);
    return `{${Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`)
      .join(',')}}`;
  }
  throw new InputError('values/json', `A ${typeof value} has no canonical JSON form`, {
    remedy: 'Pass plain data: text, finite numbers, bigints, booleans, null, arrays and objects',
  });
}

function exactNumber(text: string): number | bigint {
  const number = Number(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text) : number;
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
