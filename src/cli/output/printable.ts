// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not reach a terminal
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Text from data, made safe for a terminal: control characters and direction marks are shown by their numbers, so that
 * a table's name can neither move the cursor nor hide what follows it.
 */
export function printable(text: string): string {
  return text.replace(CONTROL, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`);
}

/** Lines for people, each made {@link printable}, so that text from data can begin no line of its own. */
export function printableLines(lines: readonly string[]): string {
  return lines.map((line) => `${printable(line)}\n`).join('');
}
