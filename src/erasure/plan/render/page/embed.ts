import { createHash } from 'node:crypto';

/**
 * A value as JSON for a `<script type="application/json">`: no text in it can end the element or open a comment, because every
 * `<`, `>` and `&` is written as an escape. Lists stand one entry to a line, so that two pages can be compared.
 */
export function embeddedJson(value: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(value).map(([name, held]) => {
    const text = Array.isArray(held)
      ? `[\n${held.map((entry) => JSON.stringify(entry)).join(',\n')}\n]`
      : JSON.stringify(held);
    return `${JSON.stringify(name)}: ${text}`;
  });
  return `{\n${entries.join(',\n')}\n}`.replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The source expression by which a Content-Security-Policy allows exactly this script or style. */
export function policyHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
