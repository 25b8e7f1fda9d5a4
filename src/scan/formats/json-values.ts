/** A piece of text in a JSON document: a value, or the key that leads to it. */
export interface JsonText {
  readonly text: string;
  readonly isKey: boolean;
  /** Keys and list places from the document down to it. */
  readonly path: readonly (string | number)[];
}

const DEEPEST = 200;

/** Every key, string and number of a JSON document; numbers as JSON writes them, so that 64-bit ids are whole. */
export function* jsonTexts(value: unknown, path: readonly (string | number)[] = []): Generator<JsonText> {
  if (typeof value === 'string') yield { text: value, isKey: false, path };
  else if (typeof value === 'number' || typeof value === 'bigint') {
    yield { text: String(value), isKey: false, path };
  } else if (typeof value === 'object' && value !== null) {
    if (path.length > DEEPEST) throw new RangeError('JSON nested too deeply');
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) yield* jsonTexts(item, [...path, index]);
      return;
    }
    for (const [key, item] of Object.entries(value)) {
      yield { text: key, isKey: true, path: [...path, key] };
      yield* jsonTexts(item, [...path, key]);
    }
  }
}

/** A number with an exponent. */
const EXPONENT = /(?:^|[:[,])\s*-?\d[\d.]*[eE]/;

/**
 * Whether each of its {@link jsonTexts} stands in a JSON text as it is, so that a search of the whole text is one of all of them: escapes
 * and exponents are written in another way once they are read.
 */
export function showsItsTexts(json: string): boolean {
  return !json.includes('\\') && !EXPONENT.test(json);
}
