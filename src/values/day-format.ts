import { InputError } from '../errors.ts';
import { formatDay } from './day.ts';
import type { Day } from './time.ts';

/**
 * How a text column writes a day, `dd-MM-yyyy`, understood (hazard 28). All fields have a fixed width, so the same check
 * works in every dialect of SQL: a regular expression says whether the text is a real day, and three substrings put it in
 * an order in which text compares as days do.
 */
export interface DayFormat {
  readonly format: string;
  /** Characters in a text of this format. */
  readonly length: number;
  /** Matches exactly the real days; only brackets, classes and alternatives, so that RE2, Java, Joni, Postgres and JavaScript agree. */
  readonly pattern: string;
  /** Where each field begins, counted from 0. */
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const FIELDS = ['yyyy', 'MM', 'dd', 'HH', 'mm', 'ss'] as const;
type FieldName = (typeof FIELDS)[number];
type Piece = { readonly field: FieldName } | { readonly literal: string };

const TOKEN = /'((?:[^']|'')+)'|([A-Za-z])\2*|[^A-Za-z']/guy;
const LEAP_YEAR = '(?:[0-9][0-9](?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)';
const YEAR = '(?:[1-9][0-9][0-9][0-9]|0[1-9][0-9][0-9]|00[1-9][0-9]|000[1-9])';
const TIME_OF_DAY = { HH: '(?:[01][0-9]|2[0-3])', mm: '[0-5][0-9]', ss: '[0-5][0-9]' };

/** Every real day as year, month and day: the long months, all but February, February, and its leap day. */
const REAL_DAYS = [
  { yyyy: YEAR, MM: '(?:0[13578]|1[02])', dd: '(?:0[1-9]|[12][0-9]|3[01])' },
  { yyyy: YEAR, MM: '(?:0[469]|11)', dd: '(?:0[1-9]|[12][0-9]|30)' },
  { yyyy: YEAR, MM: '02', dd: '(?:0[1-9]|1[0-9]|2[0-8])' },
  { yyyy: LEAP_YEAR, MM: '02', dd: '29' },
];

/**
 * Understands a format of `yyyy`, `MM`, `dd`, once each, and if there `HH`, `mm`, `ss`, with anything between them (letters
 * in single quotes). Throws `values/day-format` for what would be guesswork: years of two digits, fields of changing
 * width, names of months, zones.
 */
export function parseDayFormat(format: string): DayFormat {
  const pieces = piecesOf(format);
  const at = new Map<FieldName, number>();
  let length = 0;
  for (const piece of pieces) {
    if ('field' in piece) {
      if (at.has(piece.field)) throw noFormat(format, `${piece.field} stands twice`);
      at.set(piece.field, length);
    }
    length += 'field' in piece ? piece.field.length : [...piece.literal].length;
  }
  const start = (field: FieldName) => {
    const found = at.get(field);
    if (found === undefined) throw noFormat(format, `${field} is missing`);
    return found;
  };
  const alternatives = REAL_DAYS.map((day) =>
    pieces
      .map((piece) =>
        'field' in piece ? { ...TIME_OF_DAY, ...day }[piece.field] : literalPattern(piece.literal),
      )
      .join(''),
  );
  return {
    format,
    length,
    pattern: `^(?:${alternatives.join('|')})$`,
    year: start('yyyy'),
    month: start('MM'),
    day: start('dd'),
  };
}

/** The day that a text says in a format, or null where it is none. */
export function dayInText(text: string, format: DayFormat): Day | null {
  if (!patternOf(format).test(text)) return null;
  const characters = [...text];
  const field = (start: number, width: number) => Number(characters.slice(start, start + width).join(''));
  return formatDay({
    year: field(format.year, 4),
    month: field(format.month, 2),
    day: field(format.day, 2),
  });
}

const patterns = new WeakMap<DayFormat, RegExp>();

function patternOf(format: DayFormat): RegExp {
  const known = patterns.get(format) ?? new RegExp(format.pattern, 'u');
  patterns.set(format, known);
  return known;
}

function piecesOf(format: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const token of format.matchAll(TOKEN)) {
    const [text, quoted, letter] = token;
    if (quoted !== undefined) pieces.push({ literal: quoted.replaceAll("''", "'") });
    else if (letter === undefined) pieces.push({ literal: text });
    else if (isField(text)) pieces.push({ field: text });
    else throw noFormat(format, `${text} is not understood`);
    end = token.index + text.length;
  }
  if (end !== format.length) throw noFormat(format, `the quote at character ${end + 1} does not end`);
  return pieces;
}

function isField(text: string): text is FieldName {
  return (FIELDS as readonly string[]).includes(text);
}

function literalPattern(literal: string): string {
  return [...literal]
    .map((character) => (/[\p{L}\p{N} ,:/_-]/u.test(character) ? character : `[${escapeInClass(character)}]`))
    .join('');
}

function escapeInClass(character: string): string {
  return /[\\^\]-]/.test(character) ? `\\${character}` : character;
}

function noFormat(format: string, why: string): InputError {
  return new InputError('values/day-format', `${JSON.stringify(format)} is no format of a day: ${why}`, {
    remedy:
      "Write yyyy, MM and dd once each (HH, mm and ss may follow), such as dd-MM-yyyy or yyyy-MM-dd'T'HH:mm:ss; " +
      'for any other text, store a date column',
    data: { found: format, why },
  });
}
