/** How text is set on a terminal; plain where there is none. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
}

/** Colour only on a terminal, and never where `NO_COLOR` is set to anything (no-color.org). */
export function styleFor(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Style {
  const colour = stream.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
  const code =
    (on: number, off: number) =>
    (text: string): string =>
      colour ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return { bold: code(1, 22), dim: code(2, 22), good: code(32, 39), bad: code(31, 39) };
}
