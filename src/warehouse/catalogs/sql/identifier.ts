/** A table as the layout names it. A namespace of several levels is one text, joined by dots. */
export interface Identifier {
  readonly namespace: string;
  readonly name: string;
}

/** A row of `iceberg_tables`. */
export interface TableRow extends Identifier {
  readonly catalog: string;
  /** As it was written: the condition of the next commit. */
  readonly metadataFile: string;
}

/** The name by which Lethe knows a table. */
export function tableOf({ namespace, name }: Identifier): string {
  return namespace === '' ? name : `${namespace}.${name}`;
}

/** What a table's name most often stands for: all but its last part is the namespace. */
export function identifierOf(table: string): Identifier {
  const dot = table.lastIndexOf('.');
  return dot < 0
    ? { namespace: '', name: table }
    : { namespace: table.slice(0, dot), name: table.slice(dot + 1) };
}
