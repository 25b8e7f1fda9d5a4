import type { Canonical, CanonicalRow } from '../engines/canonical.ts';

/** How the two engines that speak SQL write a value of an Iceberg type. */
export interface Dialect {
  readonly types: Readonly<Record<string, string>>;
  readonly literal: (value: Canonical, type: string) => string;
}

const text = (value: Canonical): string => `'${String(value).replaceAll("'", "''")}'`;

/** The fields of `struct(street, zip)`; zip is a number. */
const fieldsOf = (struct: string): readonly string[] => /\((.*)\)/.exec(struct)![1]!.split(', ');

/** A struct's members as literals of both. */
function members(value: Canonical, struct: string): readonly string[] {
  return fieldsOf(struct).map((name, at) => {
    const one = (value as Canonical[])[at] ?? null;
    return one === null ? 'NULL' : name === 'street' || name === 'country' ? text(one) : String(one);
  });
}

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
    float: 'float',
    boolean: 'boolean',
    timestamp: 'timestamp_ntz',
    binary: 'binary',
    variant: 'variant',
    list: 'array<string>',
    'struct(street, zip)': 'struct<street: string, zip: int>',
    'struct(street, code)': 'struct<street: string, code: int>',
    map: 'map<string, bigint>',
  },
  literal: (value, type) => {
    if (type === 'list') return `array(${(value as Canonical[]).map(text).join(', ')})`;
    if (type.startsWith('struct')) {
      const named = members(value, type).map((one, at) => `${text(fieldsOf(type)[at]!)}, ${one}`);
      return `named_struct(${named.join(', ')})`;
    }
    if (type === 'map')
      return `map(${pairs(value)
        .map(([key, one]) => `${key}, ${one}`)
        .join(', ')})`;
    if (type === 'date') return `DATE ${text(value)}`;
    if (type === 'timestamptz') return `TIMESTAMP '${String(value).replace('T', ' ')}+00:00'`;
    if (type === 'timestamp') return `TIMESTAMP_NTZ '${String(value).replace('T', ' ')}'`;
    if (type === 'binary') return `X'${value}'`;
    if (type === 'variant') return `parse_json(${text(value)})`;
    if (type === 'string') return text(value);
    return type === 'double' ? `${value}D` : type === 'float' ? `${value}F` : String(value);
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
    float: 'real',
    boolean: 'boolean',
    timestamp: 'timestamp(6)',
    binary: 'varbinary',
    time: 'time(6)',
    uuid: 'uuid',
    list: 'array(varchar)',
    'struct(street, zip)': 'row(street varchar, zip integer)',
    'struct(street, code)': 'row(street varchar, code integer)',
    map: 'map(varchar, bigint)',
  },
  literal: (value, type) => {
    if (type === 'list') return `ARRAY[${(value as Canonical[]).map(text).join(', ')}]`;
    if (type.startsWith('struct')) return `ROW(${members(value, type).join(', ')})`;
    if (type === 'map') {
      const [keys, values] = [0, 1].map((at) => pairs(value).map((pair) => pair[at]));
      return `MAP(ARRAY[${keys}], ARRAY[${values}])`;
    }
    if (type === 'date') return `DATE ${text(value)}`;
    if (type === 'timestamptz') return `TIMESTAMP '${String(value).replace('T', ' ')} UTC'`;
    if (type === 'string') return text(value);
    if (type === 'timestamp') return `TIMESTAMP '${String(value).replace('T', ' ')}'`;
    if (type === 'binary') return `X'${value}'`;
    const word = { double: 'DOUBLE', float: 'REAL', time: 'TIME', uuid: 'UUID', 'decimal(9, 2)': 'DECIMAL' }[
      type
    ];
    return word === undefined ? String(value) : `${word} ${text(value)}`;
  },
};
