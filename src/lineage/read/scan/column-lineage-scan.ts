import { grown } from '../../grown.ts';
import { ROLE, type RoleMask } from '../../roles.ts';
import { rolesOf } from '../transformations.ts';
import type { ByteTable } from './byte-table.ts';
import { FieldGlue } from './field-glue.ts';
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  NOWHERE,
  OPEN_LIST,
  OPEN_OBJECT,
  past,
  pastBlanks,
  QUOTE,
  standsAt,
} from './json-bytes.ts';
import { PlainText, parsed, pastKey, pastValid, textOf } from './plain-text.ts';
import type { Words } from './words.ts';

const key = (name: string): Uint8Array => new TextEncoder().encode(`"${name}"`);

const INPUT_FIELDS = key('inputFields');
const LEGACY_TYPE = key('transformationType');
const NAMESPACE = key('namespace');
const NAME = key('name');
const FIELD = key('field');
const TRANSFORMATIONS = key('transformations');

/** Stands for roles that the older type of the whole output field gives. */
export const BY_FIELD: RoleMask = 0;
/** Different lists of transformations that are remembered, none of them longer than this many characters. */
const REMEMBERED = 4096;
const LONGEST = 1024;

/**
 * Takes the `fields` of `columnLineage` facets out of the bytes of an event, as numbers of texts: nearly all bytes of lineage are
 * these, and making objects of them would cost more than all that is done with them. Only what is written plainly and in the
 * right shape is taken; all else is left to a parser, and to those who explain what is wrong with it.
 *
 * Where a column is written as the ones before it were ({@link FieldGlue}), it is compared with them and not read letter by letter.
 */
export class ColumnLineageScan {
  /** Edges taken since {@link begin}. */
  size = 0;
  /** By edge: the texts of the output column, and of the input's namespace, name and field. */
  columns = new Int32Array(256);
  namespaces = new Int32Array(256);
  names = new Int32Array(256);
  fields = new Int32Array(256);
  roles = new Uint16Array(256);
  readonly #texts: ByteTable;
  readonly #text: PlainText;
  readonly #glue: FieldGlue;
  /** By text: the number of the facet that has it as a column, and the column that came after it last. */
  #seen = new Int32Array(256);
  #after = new Int32Array(256).fill(NOWHERE);
  #facets = 0;
  readonly #rolesOf = new Map<string, RoleMask>();

  constructor(texts: ByteTable) {
    this.#texts = texts;
    this.#text = new PlainText(texts);
    this.#glue = new FieldGlue(texts);
  }

  /** Begins the next event. */
  begin(): void {
    this.size = 0;
  }

  /** Takes the object at `at`; behind it, or nowhere where it was left. */
  take(line: Words, at: number): number {
    const before = this.size;
    this.#facets += 1;
    const end = this.#facet(line, at);
    if (end === NOWHERE) this.size = before;
    return end;
  }

  /** Adds an edge. */
  add(column: number, namespace: number, name: number, field: number, roles: RoleMask): void {
    if (this.size === this.columns.length) this.#grow();
    const edge = this.size++;
    this.columns[edge] = column;
    this.namespaces[edge] = namespace;
    this.names[edge] = name;
    this.fields[edge] = field;
    this.roles[edge] = roles;
  }

  /** Gives the edges from `first` on the roles of their whole field, where they have none of their own. */
  byField(first: number, roles: RoleMask): void {
    for (let edge = first; edge < this.size; edge++)
      if (this.roles[edge] === BY_FIELD) this.roles[edge] = roles;
  }

  #facet(line: Words, at: number): number {
    const { bytes } = line;
    let next = past(bytes, at, OPEN_OBJECT);
    if (bytes[next] !== QUOTE) return NOWHERE;
    let column = NOWHERE;
    for (next += 1; ; ) {
      const name = next;
      next = this.#column(line, name, column);
      if (next === NOWHERE || !this.#isNew(this.#text.text)) return NOWHERE;
      if (column !== NOWHERE) this.#after[column] = this.#text.text;
      column = this.#text.text;
      const quick = this.#glue.past(line, next, column, this);
      if (quick !== NOWHERE) {
        next = quick;
        continue;
      }
      next = this.#field(line, next, column);
      if (next === NOWHERE) return NOWHERE;
      next = pastBlanks(bytes, next);
      if (bytes[next] === CLOSE_OBJECT) return next + 1;
      next = past(bytes, next, COMMA);
      if (bytes[next] !== QUOTE) return NOWHERE;
      next += 1;
      this.#glue.closed(line, next);
    }
  }

  /** Behind the name of a column, which most likely is the one that came after the last one before. */
  #column(line: Words, at: number, last: number): number {
    const likely = last === NOWHERE ? NOWHERE : this.#after[last]!;
    const end = likely === NOWHERE ? NOWHERE : this.#texts.past(likely, line, at);
    if (end === NOWHERE) return this.#text.pastEnd(line, at);
    this.#text.text = likely;
    return end;
  }

  /** Of two fields of one name a parser takes the later one. */
  #isNew(column: number): boolean {
    while (column >= this.#seen.length) {
      this.#seen = grown(this.#seen);
      this.#after = grown(this.#after, { fill: NOWHERE });
    }
    if (this.#seen[column] === this.#facets) return false;
    this.#seen[column] = this.#facets;
    return true;
  }

  #field(line: Words, at: number, column: number): number {
    const { bytes } = line;
    const first = this.size;
    let legacy: RoleMask = ROLE.unknown;
    let [listed, typed] = [false, false];
    this.#glue.opens(at);
    let next = past(bytes, past(bytes, at, COLON), OPEN_OBJECT);
    for (;;) {
      const name = next;
      next = past(bytes, pastKey(bytes, name), COLON);
      if (standsAt(bytes, name, INPUT_FIELDS)) {
        if (listed) return NOWHERE;
        listed = true;
        next = this.#inputs(line, next, column);
      } else {
        if (!listed) this.#glue.opens(NOWHERE);
        const begin = next;
        next = pastValid(bytes, begin);
        if (standsAt(bytes, name, LEGACY_TYPE)) {
          if (typed) return NOWHERE;
          typed = true;
          if (next > begin + 2) legacy = rolesOf(undefined, parsed(bytes, begin, next));
        }
      }
      if (next === NOWHERE) return NOWHERE;
      next = pastBlanks(bytes, next);
      if (bytes[next] === CLOSE_OBJECT) break;
      next = past(bytes, next, COMMA);
    }
    if (!listed) return NOWHERE;
    this.byField(first, legacy);
    this.#glue.typed(legacy);
    return next + 1;
  }

  #inputs(line: Words, at: number, column: number): number {
    const { bytes } = line;
    let next = past(bytes, at, OPEN_LIST);
    if (bytes[next] === CLOSE_LIST) {
      this.#glue.opens(NOWHERE);
      return next + 1;
    }
    for (;;) {
      next = this.#input(line, next, column);
      if (next === NOWHERE) return NOWHERE;
      next = pastBlanks(bytes, next);
      if (bytes[next] === CLOSE_LIST) return next + 1;
      next = past(bytes, next, COMMA);
    }
  }

  #input(line: Words, at: number, column: number): number {
    const { bytes } = line;
    const glue = this.#glue;
    let [namespace, name, field, roles] = [-1, -1, -1, -1];
    let next = past(bytes, at, OPEN_OBJECT);
    for (;;) {
      const begin = next;
      const value = past(bytes, pastKey(bytes, begin), COLON);
      if (standsAt(bytes, begin, NAMESPACE)) {
        if (namespace >= 0) return NOWHERE;
        next = this.#text.past(line, value);
        namespace = this.#text.text;
        glue.namespace(line, value + 1, next);
      } else if (standsAt(bytes, begin, NAME)) {
        if (name >= 0) return NOWHERE;
        next = this.#text.past(line, value);
        name = this.#text.text;
        glue.name(line, value + 1, next);
      } else if (standsAt(bytes, begin, FIELD)) {
        if (field >= 0) return NOWHERE;
        next = this.#text.past(line, value);
        field = this.#text.text;
        glue.field(line, value + 1, next);
      } else {
        next = pastValid(bytes, value);
        if (field < 0) glue.opens(NOWHERE);
        if (standsAt(bytes, begin, TRANSFORMATIONS)) {
          if (roles >= 0 || next === NOWHERE) return NOWHERE;
          roles = this.#rolesIn(textOf(bytes, value, next));
        }
      }
      if (next === NOWHERE) return NOWHERE;
      next = pastBlanks(bytes, next);
      if (bytes[next] === CLOSE_OBJECT) break;
      next = past(bytes, next, COMMA);
    }
    if (namespace < 0 || name < 0 || field < 0) return NOWHERE;
    this.add(column, namespace, name, field, roles < 0 ? BY_FIELD : roles);
    glue.input(roles < 0 ? BY_FIELD : roles);
    return next + 1;
  }

  #rolesIn(text: string): RoleMask {
    const known = this.#rolesOf.get(text);
    if (known !== undefined) return known;
    const value: unknown = JSON.parse(text);
    const roles = Array.isArray(value) && value.length > 0 ? rolesOf(value, undefined) : BY_FIELD;
    if (text.length <= LONGEST && this.#rolesOf.size < REMEMBERED) this.#rolesOf.set(text, roles);
    return roles;
  }

  #grow(): void {
    this.columns = grown(this.columns);
    this.namespaces = grown(this.namespaces);
    this.names = grown(this.names);
    this.fields = grown(this.fields);
    const roles = new Uint16Array(this.columns.length);
    roles.set(this.roles);
    this.roles = roles;
  }
}
