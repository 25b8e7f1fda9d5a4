/** Matches a text and gives what its parts captured, or null. */
export type Matcher = (text: string) => Readonly<Record<string, string>> | null;

/**
 * Compiles a pattern of `lineage.toml`: `{part}` captures one part of a name (up to a slash or a dot), `{rest...}` several,
 * and `*` matches anything. All else is literal.
 */
export function compilePattern(pattern: string): Matcher {
  const captures: string[] = [];
  const source = pattern.split(/(\{\w+(?:\.\.\.)?\}|\*)/).map((piece) => {
    if (piece === '*') return '.*';
    const capture = /^\{(\w+)(\.\.\.)?\}$/.exec(piece);
    if (capture === null) return literally(piece);
    captures.push(capture[1]!);
    return capture[2] === undefined ? '([^/.]+)' : '(.+)';
  });
  const expression = new RegExp(`^${source.join('')}$`, 's');
  return (text) => {
    const found = expression.exec(text);
    if (found === null) return null;
    return Object.fromEntries(captures.map((name, index) => [name, found[index + 1]!]));
  };
}

/** Fills what was captured into a template; a path becomes a dotted name. */
export function fillTemplate(template: string, captured: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)(?:\.\.\.)?\}/g, (text, name: string) =>
    captured[name] === undefined ? text : captured[name].replaceAll('/', '.'),
  );
}

/** Whether a text matches a name in which `*` matches anything. */
export function matchesGlob(glob: string, text: string): boolean {
  if (!glob.includes('*')) return glob === text;
  return new RegExp(`^${glob.split('*').map(literally).join('.*')}$`, 's').test(text);
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
