import { parse, TomlDate, TomlError } from 'smol-toml';
import { type AST, parseTOML } from 'toml-eslint-parser';
import type { Place } from '../../errors.ts';
import { nearest } from '../../values/nearest.ts';
import type { Fault } from '../fault.ts';
import { type KeyPath, type PlaceNode, placesOf, type Spot } from './places.ts';

/** A TOML table; its keys are its own, it has no prototype. */
export type TomlTable = { readonly [key: string]: unknown };

/** What a fault says beyond its place. */
export interface FaultDetail {
  readonly code: string;
  readonly path: KeyPath;
  readonly message: string;
  /** Point at the key instead of the value. */
  readonly atKey?: boolean;
  readonly found?: unknown;
  readonly allowed?: readonly string[];
  /** Names among which the meant one is sought, if others than `allowed`. */
  readonly candidates?: Iterable<string>;
}

const EMPTY: PlaceNode = {
  key: { line: 1, column: 1, width: 1 },
  value: { line: 1, column: 1, width: 1 },
  children: new Map(),
};

/** A line of this many characters is nobody's rule, and the parser of places has no room for it on its stack. */
const LONGEST_LINE = 100_000;
/** Tables inside tables, as a name with unquoted dots makes them: no governance file has ten. */
const DEEPEST = 100;

/** One TOML file: its values as smol-toml reads them, the places of its keys and values, and the faults found in it. */
export class TomlDocument {
  readonly file: string;
  readonly values: TomlTable;
  readonly faults: Fault[] = [];
  readonly #lines: readonly string[];
  readonly #places: PlaceNode;

  constructor(file: string, text: string) {
    const source = text.replace(/^\uFEFF/, '');
    this.file = file;
    this.#lines = source.split(/\r?\n/);
    const values = this.#isReadable() ? this.#parseValues(source) : null;
    const tree = values === null ? null : this.#parseTree(source);
    this.values = values ?? {};
    this.#places = tree === null ? EMPTY : placesOf(tree);
    this.#checkKeys(this.values, []);
  }

  /** Notes what stands in the way of parsing, at its place. */
  #isReadable(): boolean {
    for (const [index, line] of this.#lines.entries()) {
      const lost = line.indexOf('\uFFFD');
      if (lost !== -1) {
        // What stands here instead of a letter would be part of a name, and the rule of that name would hold for nothing.
        const message = 'a character that is not UTF-8; save the file as UTF-8';
        this.#syntaxFault({ line: index + 1, column: lost + 1 }, message);
        return false;
      }
      if (line.length > LONGEST_LINE) {
        const message = `a line of more than ${LONGEST_LINE} characters`;
        this.#syntaxFault({ line: index + 1, column: 1 }, message);
        return false;
      }
    }
    return true;
  }

  /** Notes what is no TOML, before there are keys to say where it stands. */
  #syntaxFault(at: Pick<Spot, 'line' | 'column'>, message: string, code = 'governance/syntax'): void {
    this.faults.push(this.#faultAt({ ...at, width: 1 }, { code, path: [], message }, ''));
  }

  /** `__proto__` is no name: as a key of plain data it would vanish or worse. */
  #checkKeys(value: unknown, path: KeyPath): void {
    if (typeof value !== 'object' || value === null || value instanceof TomlDate) return;
    for (const [key, below] of Object.entries(value)) {
      const at = [...path, Array.isArray(value) ? Number(key) : key];
      if (key === '__proto__') this.#refuseKey('governance/reserved-name', at, 'no name can be __proto__');
      else if (at.length > DEEPEST) this.#refuseKey('governance/syntax', at, 'too many tables inside tables');
      else this.#checkKeys(below, at);
    }
  }

  #refuseKey(code: string, path: KeyPath, message: string): void {
    this.fault({ code, path, atKey: true, message });
  }

  /** What stands at a key path; undefined where nothing does. */
  valueAt(path: KeyPath): unknown {
    return path.reduce<unknown>((value, segment) => {
      if (Array.isArray(value)) return value[Number(segment)];
      return isTable(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
    }, this.values);
  }

  /** The place of a key path; of the nearest key above it, where it is not in the file. */
  placeOf(path: KeyPath, at: 'key' | 'value' = 'key'): Place {
    const { line, column } = this.#walk(path).node[at];
    return { file: this.file, line, column };
  }

  /** Notes a fault at a key path. */
  fault(detail: FaultDetail): void {
    const { node, known } = this.#walk(detail.path);
    this.faults.push(this.#faultAt(detail.atKey === true ? node.key : node.value, detail, showPath(known)));
  }

  #faultAt(spot: Spot, detail: FaultDetail, path: string): Fault {
    const name = typeof detail.found === 'string' ? detail.found : String(detail.path.at(-1) ?? '');
    return {
      code: detail.code,
      file: this.file,
      line: spot.line,
      column: spot.column,
      path,
      message: detail.message,
      found: detail.found === undefined ? null : showValue(detail.found),
      allowed: detail.allowed ?? [],
      nearest: nearest(name, detail.candidates ?? detail.allowed ?? []),
      excerpt: this.#excerpt(spot),
    };
  }

  #parseValues(source: string): TomlTable | null {
    try {
      return parse(source, { integersAsBigInt: 'asNeeded' }) as TomlTable;
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      const message = error.message.split('\n')[0]!.replace('Invalid TOML document: ', 'not TOML: ');
      const code = /redefine/.test(message) ? 'governance/duplicate-key' : 'governance/syntax';
      this.#syntaxFault({ line: error.line, column: error.column }, message, code);
      return null;
    }
  }

  /** The two parsers agree on valid TOML; where only the second one objects, that is a fault too, never a lost position. */
  #parseTree(source: string): AST.TOMLProgram | null {
    try {
      return parseTOML(source, { tomlVersion: '1.1' });
    } catch (error) {
      const { lineNumber = 1, column = 0 } = error as { lineNumber?: number; column?: number };
      const why =
        error instanceof Error && !(error instanceof RangeError) ? error.message : 'too long or too deep';
      const message = `not TOML: ${why}`;
      this.#syntaxFault({ line: lineNumber, column: column + 1 }, message);
      return null;
    }
  }

  /**
   * Follows a path as far as the file has it. A segment that is not in the file (a value that stands for a table or a
   * list of one) is stepped over where what follows is there.
   */
  #walk(path: KeyPath): { readonly node: PlaceNode; readonly known: KeyPath } {
    let node = this.#places;
    const known: (string | number)[] = [];
    for (const [index, segment] of path.entries()) {
      const next = node.children.get(segment);
      if (next === undefined) {
        if (typeof segment === 'string' && index === path.length - 1) known.push(segment);
        continue;
      }
      known.push(segment);
      node = next;
    }
    return { node, known };
  }

  #excerpt({ line, column, width }: Spot): string {
    const text = (this.#lines[line - 1] ?? '').replaceAll('\t', ' ');
    const from = column > 80 ? column - 41 : 0;
    const shown = text.slice(from, from + 100);
    const caret = '^'.repeat(Math.max(1, Math.min(width, shown.length - (column - 1 - from))));
    const gutter = String(line);
    return `  ${gutter} | ${shown}\n  ${' '.repeat(gutter.length)} | ${' '.repeat(column - 1 - from)}${caret}`;
  }
}

/** Whether a TOML value is a table (not a list, not a date). */
export function isTable(value: unknown): value is TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof TomlDate);
}

/** A key path as TOML writes it. */
export function showPath(path: KeyPath): string {
  return path
    .map((segment, index) => {
      if (typeof segment === 'number') return `[${segment}]`;
      const bare = /^[A-Za-z0-9_-]+$/.test(segment) ? segment : JSON.stringify(segment);
      return index === 0 ? bare : `.${bare}`;
    })
    .join('');
}

function showValue(value: unknown): string {
  if (value instanceof TomlDate) return value.toISOString();
  if (isTable(value)) return 'a table';
  if (Array.isArray(value)) return value.length === 0 ? '[]' : 'a list';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
