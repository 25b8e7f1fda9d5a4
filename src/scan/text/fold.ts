/**
 * The form in which two texts are equal for the scan (rule S1): NFC, then upper case, then lower case, final sigma as sigma.
 *
 * Upper case first, so that ß meets SS, ſ meets s, the Kelvin sign meets k, and ﬁ meets fi; the capital ẞ, which has no other capital,
 * as ß. NFC last too: the capitals of some Greek letters are two characters that become one. Accents are not dropped, and
 * compatibility forms (full-width letters) stay apart.
 */
export function fold(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll('ẞ', 'ß')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFC')
    .replaceAll('ς', 'σ');
}

/** Length in code points, which is how Iceberg counts characters. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
