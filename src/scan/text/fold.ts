/**
 * The form in which two texts are equal for the scan (rule S1): NFC, then upper case, then lower case, final sigma as sigma.
 *
 * Upper case first, so that ß meets SS, ſ meets s, the Kelvin sign meets k, and ﬁ meets fi. Accents are not dropped, and
 * compatibility forms (full-width letters) stay apart.
 */
export function fold(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

/** Length in code points, which is how Iceberg counts characters. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
