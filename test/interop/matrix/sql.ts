import type { Canonical, CanonicalRow } from '../engines/canonical.ts';

/** How the two engines that speak SQL write a value of an Iceberg type. */
export interface Dialect {
  readonly types: Readonly<Record<string, string>>;
  readonly literal: (value: Canonical, type: string) => string;
}

const text = (value: Canonical): string => `'${String(value).replaceAll("'", "''")}'`;

const member = (value: Canonical, at: number): Canonical => (value as Canonical[])[at]!;

/** Keys and values of a map from text to long, as literals of both. */
function pairs(value: Canonical): readonly (readonly [string, string])[] {
  return (value as [string, string | null][]).map(([key, one]) => [text(key), one ?? 'NULL']);
}

/** The values of rows, as they stand after INSERT INTO. */
export function valuesOf(dialect: Dialect, types: readonly string[], rows: readonly CanonicalRow[]): string {
  const row = (values: CanonicalRow): string =>
    `(${values.map((value, at) => (value === null ? 'NULL' : dialect.literal(value, types[at]!))).join(', ')})`;
  return `VALUES ${rows.map(row).join(', ')}`;
}

export const SPARK: Dialect = {
  types: {
    long: 'bigint',
    int: 'int',
    string: 'string',
    date: 'date',
    timestamptz: 'timestamp',
    'decimal(9, 2)': 'decimal(9, 2)',
    double: 'double',
    list: 'array<string>',
    struct: 'struct<street: string, zip: int>',
    map: 'map<string, bigint>',
  },
  literal: (value, type) => {
    if (type === 'list') return `array(${(value as Canonical[]).map(text).join(', ')})`;
    if (type === 'struct')
      return `named_struct('street', ${text(member(value, 0))}, 'zip', ${member(value, 1)})`;
    if (type === 'map')
      return `map(${pairs(value)
        .map(([key, one]) => `${key}, ${one}`)
        .join(', ')})`;
    if (type === 'date') return `DATE ${text(value)}`;
    if (type === 'timestamptz') return `TIMESTAMP '${String(value).replace('T', ' ')}+00:00'`;
    if (type === 'string') return text(value);
    return type === 'double' ? `${value}D` : String(value);
  },
};

export const TRINO: Dialect = {
  types: {
    long: 'bigint',
    int: 'integer',
    string: 'varchar',
    date: 'date',
    timestamptz: 'timestamp(6) with time zone',
    'decimal(9, 2)': 'decimal(9, 2)',
    double: 'double',
    list: 'array(varchar)',
    struct: 'row(street varchar, zip integer)',
    map: 'map(varchar, bigint)',
  },
  literal: (value, type) => {
    if (type === 'list') return `ARRAY[${(value as Canonical[]).map(text).join(', ')}]`;
    if (type === 'struct') return `ROW(${text(member(value, 0))}, ${member(value, 1)})`;
    if (type === 'map') {
      const [keys, values] = [0, 1].map((at) => pairs(value).map((pair) => pair[at]));
      return `MAP(ARRAY[${keys}], ARRAY[${values}])`;
    }
    if (type === 'date') return `DATE ${text(value)}`;
    if (type === 'timestamptz') return `TIMESTAMP '${String(value).replace('T', ' ')} UTC'`;
    if (type === 'string') return text(value);
    if (type.startsWith('decimal')) return `DECIMAL ${text(value)}`;
    return type === 'double' ? `DOUBLE ${text(value)}` : String(value);
  },
};
