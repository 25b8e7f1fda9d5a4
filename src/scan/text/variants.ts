const ESCAPE = /\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})|\\(["\\/])/g;
const PERCENT = /(?:%[0-9a-fA-F]{2})+/g;
const utf8 = new TextDecoder();

/**
 * The other texts that a text may stand for: JSON's escapes taken out, percent-encoding taken out, and blanks for the plus
 * signs of form encoding (Iceberg writes partition values into paths so). The text itself is not among them.
 */
export function variants(text: string): readonly string[] {
  const found: string[] = [];
  if (text.includes('\\')) found.push(withoutEscapes(text));
  const encoded = text.includes('%') ? percentDecoded(text) : text;
  if (encoded !== text) found.push(encoded);
  if (text.includes('+')) found.push(percentDecoded(text.replaceAll('+', ' ')));
  return found;
}

function withoutEscapes(text: string): string {
  return text.replace(ESCAPE, (_, unicode?: string, byte?: string, plain?: string) =>
    plain !== undefined ? plain : String.fromCharCode(Number.parseInt((unicode ?? byte)!, 16)),
  );
}

/** Takes percent-encoding out wherever it stands; what is no UTF-8 becomes the replacement character. */
export function percentDecoded(text: string): string {
  return text.replace(PERCENT, (run) =>
    utf8.decode(Uint8Array.from(run.slice(1).split('%'), (byte) => Number.parseInt(byte, 16))),
  );
}
