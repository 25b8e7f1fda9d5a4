/**
 * Text of events as a reader may see it: control characters and those that turn the direction of text, which would move a
 * terminal's cursor or make a name read as another, are shown by their numbers. Emoji and right-to-left letters stay.
 */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu,
    (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`,
  );
}
