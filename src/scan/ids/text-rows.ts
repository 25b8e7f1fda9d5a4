/** A first line that names columns. */
export interface Header {
  readonly delimiter: string;
  /** Where a sought column stands in each line. */
  readonly places: ReadonlyMap<string, number>;
}

const DELIMITERS = [',', ';', '\t', '|'];

/** Reads a line as the header of a text table; null where no cell of it is one of these names. Case does not count. */
export function headerOf(line: string, names: readonly string[]): Header | null {
  for (const delimiter of DELIMITERS) {
    const cells = cellsOf(line, delimiter).cells.map((cell) => cell.trim().toLowerCase());
    const places = new Map(
      names.flatMap((name) => {
        const place = cells.indexOf(name.toLowerCase());
        return place === -1 ? [] : [[name, place] as const];
      }),
    );
    if (places.size > 0) return { delimiter, places };
  }
  return null;
}

/**
 * The cells of one line, without their quotes (RFC 4180). `whole` is false where a quote is left open: the line is a part of a value
 * that goes over several.
 */
export function cellsOf(
  line: string,
  delimiter: string,
): { readonly cells: readonly string[]; readonly whole: boolean } {
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at]!;
    if (character === '"' && quoted && line[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"') quoted = !quoted;
    else if (character === delimiter && !quoted) {
      cells.push(cell);
      cell = '';
    } else cell += character;
  }
  cells.push(cell);
  return quoted ? { cells: line.replaceAll('"', '').split(delimiter), whole: false } : { cells, whole: true };
}
