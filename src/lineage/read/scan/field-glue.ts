import type { RoleMask } from '../../roles.ts';
import type { ByteTable } from './byte-table.ts';
import type { ColumnLineageScan } from './column-lineage-scan.ts';
import { Glue, remembered } from './glue.ts';
import { NOWHERE } from './json-bytes.ts';
import { PlainText } from './plain-text.ts';
import type { Words } from './words.ts';

/** Ways in which an input may end that are remembered. */
const ENDS = 8;
/** Names of datasets that are tried before a name is looked up: a job reads few tables. */
const RECENT = 3;

/** What stands behind the field of an input: its roles, and then the next input, or the next column. */
interface End {
  readonly glue: Glue;
  readonly roles: RoleMask;
  /** The roles of the whole field, where the next column follows. */
  readonly closes: RoleMask | null;
}

/**
 * How a producer writes an entry of `columnLineage.fields`: what stands between the name of a column and the namespace of its
 * first input, between that, the name and the field, and behind these. It is learned from entries that were read letter by letter,
 * and then any entry that is written the same way is only compared.
 *
 * Only entries that begin with their inputs, and inputs that begin with namespace, name and field, are learned. So whatever pieces
 * follow one another, no key that counts is in two of them.
 */
export class FieldGlue {
  readonly #texts: ByteTable;
  readonly #text: PlainText;
  #open = new Glue();
  #toName = new Glue();
  #toField = new Glue();
  readonly #ends: End[] = [];
  /** What was last read: an end that it had is most likely to come again, and so is a namespace or a name. */
  #lastEnd = 0;
  #lastNamespace = NOWHERE;
  readonly #recent = new Int32Array(RECENT).fill(NOWHERE);
  #oldest = 0;

  /** Of the entry that is being read letter by letter: where a piece begins, if all before it was in order. */
  #begin = NOWHERE;
  /** Which value comes next: 0 a namespace, 1 a name, 2 a field, 3 none. */
  #turn = 0;
  #isFirst = true;
  #roles: RoleMask = 0;
  #legacy: RoleMask = 0;

  constructor(texts: ByteTable) {
    this.#texts = texts;
    this.#text = new PlainText(texts);
  }

  /**
   * Takes a whole entry of which `at` is behind the name of its column. Gives where the name of the next column begins; nowhere
   * where the entry is written in another way, and then nothing was taken.
   */
  past(line: Words, at: number, column: number, to: ColumnLineageScan): number {
    const first = to.size;
    let next = this.#open.past(line, at);
    while (next !== NOWHERE) {
      next = this.#pastNamespace(line, next);
      if (next !== NOWHERE) next = this.#toName.past(line, next);
      if (next !== NOWHERE) next = this.#pastName(line, next);
      const name = this.#text.text;
      if (next !== NOWHERE) next = this.#toField.past(line, next);
      if (next !== NOWHERE) next = this.#pastField(line, next, column);
      if (next === NOWHERE) break;
      next = this.#pastEnd(line, next);
      if (next === NOWHERE) break;
      const { roles, closes } = this.#ends[this.#lastEnd]!;
      to.add(column, this.#lastNamespace, name, this.#text.text, roles);
      if (closes === null) continue;
      to.byField(first, closes);
      return next;
    }
    to.size = first;
    return NOWHERE;
  }

  #pastNamespace(line: Words, at: number): number {
    if (this.#lastNamespace !== NOWHERE) {
      const end = this.#texts.past(this.#lastNamespace, line, at);
      if (end !== NOWHERE) return end;
    }
    const end = this.#text.pastEnd(line, at);
    if (end !== NOWHERE) this.#lastNamespace = this.#text.text;
    return end;
  }

  #pastName(line: Words, at: number): number {
    for (let slot = 0; slot < RECENT; slot++) {
      const name = this.#recent[slot]!;
      const end = name === NOWHERE ? NOWHERE : this.#texts.past(name, line, at);
      if (end === NOWHERE) continue;
      this.#text.text = name;
      return end;
    }
    const end = this.#text.pastEnd(line, at);
    if (end === NOWHERE) return NOWHERE;
    this.#recent[this.#oldest] = this.#text.text;
    this.#oldest = (this.#oldest + 1) % RECENT;
    return end;
  }

  /** Most columns have the name of what they were copied from. */
  #pastField(line: Words, at: number, column: number): number {
    const end = this.#texts.past(column, line, at);
    if (end === NOWHERE) return this.#text.pastEnd(line, at);
    this.#text.text = column;
    return end;
  }

  #pastEnd(line: Words, at: number): number {
    const last = this.#ends[this.#lastEnd];
    const likely = last === undefined ? NOWHERE : last.glue.past(line, at);
    if (likely !== NOWHERE) return likely;
    for (let end = 0; end < this.#ends.length; end++) {
      if (end === this.#lastEnd) continue;
      const next = this.#ends[end]!.glue.past(line, at);
      if (next === NOWHERE) continue;
      this.#lastEnd = end;
      return next;
    }
    return NOWHERE;
  }

  /** An entry begins to be read letter by letter, `at` behind the name of its column; nowhere where it is out of order. */
  opens(at: number): void {
    this.#begin = at;
    this.#turn = 0;
    this.#isFirst = true;
  }

  namespace(line: Words, begin: number, end: number): void {
    if (!this.#takesTurn(0)) return;
    if (this.#isFirst) this.#open = this.#same(this.#open, line, begin);
    else this.#learn(line, begin, null);
    this.#isFirst = false;
    this.#begin = end;
  }

  name(line: Words, begin: number, end: number): void {
    if (!this.#takesTurn(1)) return;
    this.#toName = this.#same(this.#toName, line, begin);
    this.#begin = end;
  }

  field(line: Words, begin: number, end: number): void {
    if (!this.#takesTurn(2)) return;
    this.#toField = this.#same(this.#toField, line, begin);
    this.#begin = end;
  }

  /** An input ends, and has these roles. */
  input(roles: RoleMask): void {
    if (this.#begin === NOWHERE) return;
    this.#roles = roles;
    this.#turn = 0;
  }

  /** An entry ends, and gives these roles to what has none. */
  typed(legacy: RoleMask): void {
    this.#legacy = legacy;
  }

  /** The name of the next column begins. */
  closed(line: Words, at: number): void {
    if (this.#begin !== NOWHERE && !this.#isFirst) this.#learn(line, at, this.#legacy);
    this.#begin = NOWHERE;
  }

  #takesTurn(turn: number): boolean {
    if (this.#begin !== NOWHERE && this.#turn === turn) {
      this.#turn += 1;
      return true;
    }
    this.#begin = NOWHERE;
    return false;
  }

  /** What is known already, or else what stands from the last value on up to `end`. */
  #same(known: Glue, line: Words, end: number): Glue {
    return known.past(line, this.#begin) === end ? known : new Glue(remembered(line, this.#begin, end));
  }

  #learn(line: Words, end: number, closes: RoleMask | null): void {
    // The last entry of a facet is always read letter by letter, and mostly teaches nothing.
    if (this.#ends.some(({ glue }) => glue.past(line, this.#begin) === end)) return;
    const made = { glue: new Glue(remembered(line, this.#begin, end)), roles: this.#roles, closes };
    if (this.#ends.length < ENDS) this.#ends.push(made);
    else this.#ends[(this.#lastEnd + 1) % ENDS] = made;
    this.#lastEnd = this.#ends.indexOf(made);
  }
}
