/** The name, as a whole word, what may close and separate it, and a value in quotes or without. */
export function pairOf(name: string): RegExp {
  const before = '(?<![\\p{L}\\p{N}_])';
  const between = '[\\\\"\'`\\])]{0,4}\\s{0,20}(?:=>|[:=>])\\s{0,20}\\\\{0,3}';
  const value = "(?:\"([^\"\\\\]{0,400})|'([^']{0,400})'|([^\\s\"',;<>{}[\\]()&|\\\\]{1,400}))";
  return new RegExp(`${before}${escaped(name)}${between}${value}`, 'giu');
}

/** A text as it stands in a regular expression. */
export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
