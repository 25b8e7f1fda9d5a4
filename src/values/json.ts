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
  return new Canonical().text(value);
}

/** The same text in pieces, for data whose lists are too long to be one string. */
export function* canonicalPieces(value: Readonly<Record<string, unknown>>): Generator<string> {
  const canonical = new Canonical();
  let before = '{';
  for (const { name, begin } of canonical.keysOf(value)) {
    const item = value[name];
    if (item === undefined) continue;
    const opened = before + begin;
    before = ',';
    if (!Array.isArray(item)) {
      yield opened + canonical.text(item);
      continue;
    }
    yield `${opened}[`;
    for (const [at, one] of item.entries()) yield (at > 0 ? ',' : '') + canonical.text(one ?? null);
    yield ']';
  }
  yield before === '{' ? '{}' : '}';
}

/** Writes the values of one document. Most of its objects are of few shapes, whose keys are put in order once. */
class Canonical {
  /** By the first key of the objects that have it: the shape that was met last. */
  readonly #shapes = new Map<string, Shape>();

  text(value: unknown): string {
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
        return Array.isArray(value) ? this.#list(value) : this.#object(value);
    }
    throw new InputError('values/json', `A ${typeof value} has no canonical JSON form`, {
      remedy: 'Pass plain data: text, finite numbers, bigints, booleans, null, arrays and objects',
    });
  }

  /** By their UTF-16 code units, as the RFC wants. */
  keysOf(value: object): readonly Key[] {
    const own = Object.keys(value);
    const first = own[0] ?? '';
    const known = this.#shapes.get(first);
    if (known !== undefined && isSame(known.own, own)) return known.keys;
    const keys = [...own].sort().map((name) => ({ name, begin: `${quoted(name)}:` }));
    this.#shapes.set(first, { own, keys });
    return keys;
  }

  #list(items: readonly unknown[]): string {
    let text = '[';
    for (let at = 0; at < items.length; at++) {
      if (at > 0) text += ',';
      text += this.text(items[at] ?? null);
    }
    return `${text}]`;
  }

  #object(value: object): string {
    const source = hasToJson(value) ? value.toJSON() : value;
    if (source !== value) return this.text(source);
    let text = '{';
    for (const { name, begin } of this.keysOf(value)) {
      const item = (value as Readonly<Record<string, unknown>>)[name];
      if (item === undefined) continue;
      if (text.length > 1) text += ',';
      text += begin + this.text(item);
    }
    return `${text}}`;
  }
}

interface Shape {
  /** As an object has them. */
  readonly own: readonly string[];
  /** In canonical order. */
  readonly keys: readonly Key[];
}

interface Key {
  readonly name: string;
  /** The key and the colon behind it. */
  readonly begin: string;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
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
