/**
 * What is hashed for a person (rule G1): `lethe/register/1`, NUL, the kind of subject, NUL, the canonical id. So learner 5
 * and instructor 5 differ.
 *
 * A composite id is one more NUL and then each part as a netstring (`5:north,4:3590,`: its length in UTF-8 bytes, a colon,
 * the part, a comma), so that no two ids are written alike, whatever their parts hold.
 */
export function personMessage(subject: string, id: readonly string[]): string {
  const written = id.length === 1 ? id[0]! : `\0${id.map(netstring).join('')}`;
  return `lethe/register/1\0${subject}\0${written}`;
}

/** What is hashed for the check value of a key; no person's message begins like it. */
export function keyCheckMessage(keyId: string): string {
  return `lethe/register-key/1\0${keyId}`;
}

function netstring(text: string): string {
  return `${Buffer.byteLength(text, 'utf8')}:${text},`;
}
