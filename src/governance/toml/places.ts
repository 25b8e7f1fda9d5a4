import type { AST } from 'toml-eslint-parser';

/** A key of a table, or an index of a list. */
export type KeyPath = readonly (string | number)[];

/** A place in the text, counted from 1. */
export interface Spot {
  readonly line: number;
  readonly column: number;
  /** Characters that the key or value takes on this line. */
  readonly width: number;
}

/** Where one key stands and where its value does, and those of all below it. */
export interface PlaceNode {
  key: Spot;
  value: Spot;
  readonly children: Map<string | number, PlaceNode>;
}

const START: Spot = { line: 1, column: 1, width: 1 };

/** Walks the syntax tree once, so that every key path has its places, however it was written. */
export function placesOf(program: AST.TOMLProgram): PlaceNode {
  const root = node(START, START);
  const top = program.body[0];
  for (const entry of top.body) {
    if (entry.type === 'TOMLKeyValue') addKeyValue(root, entry);
    else addTable(root, entry);
  }
  return root;
}

function addTable(root: PlaceNode, table: AST.TOMLTable): void {
  const spots = table.key.keys.map(spotOf);
  let current = root;
  let named = 0;
  for (const segment of table.resolvedKey) {
    // The header names keys; the indices between them are those of arrays of tables.
    const spot = typeof segment === 'number' ? spotOf(table.key) : spots[named++]!;
    current = child(current, segment, spot, spotOf(table.key));
  }
  current.key = spots.at(-1) ?? START;
  current.value = current.key;
  for (const entry of table.body) addKeyValue(current, entry);
}

function addKeyValue(parent: PlaceNode, entry: AST.TOMLKeyValue): void {
  let current = parent;
  for (const key of entry.key.keys) current = child(current, nameOf(key), spotOf(key), spotOf(entry.value));
  addValue(current, entry.value);
}

function addValue(at: PlaceNode, value: AST.TOMLContentNode): void {
  at.value = spotOf(value);
  if (value.type === 'TOMLInlineTable') for (const entry of value.body) addKeyValue(at, entry);
  if (value.type !== 'TOMLArray') return;
  for (const [index, element] of value.elements.entries()) {
    addValue(child(at, index, spotOf(element), spotOf(element)), element);
  }
}

function child(parent: PlaceNode, segment: string | number, key: Spot, value: Spot): PlaceNode {
  const known = parent.children.get(segment);
  if (known !== undefined) return known;
  const made = node(key, value);
  parent.children.set(segment, made);
  return made;
}

function node(key: Spot, value: Spot): PlaceNode {
  return { key, value, children: new Map() };
}

function nameOf(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === 'TOMLBare' ? key.name : key.value;
}

function spotOf({ loc }: { readonly loc: AST.SourceLocation }): Spot {
  const width = loc.end.line === loc.start.line ? loc.end.column - loc.start.column : 1;
  return { line: loc.start.line, column: loc.start.column + 1, width: Math.max(1, width) };
}
