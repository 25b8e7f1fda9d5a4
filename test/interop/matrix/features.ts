import type { Canonical, CanonicalRow } from '../engines/canonical.ts';

/** The person who is erased, in every table: rows 3 and 7. */
export const PERSON = { customer: 30, email: 'zoe.zimmermann@example.org' };

/** A way in which a table can be written. */
export interface Feature {
  readonly title: string;
  /** Columns and their types, as Iceberg names them. */
  readonly columns: readonly (readonly [name: string, type: string])[];
  /** What is written, in two commits of four rows. */
  readonly written: readonly CanonicalRow[];
  /** What a reader sees then. */
  readonly visible: readonly CanonicalRow[];
  /** What a reader sees of each branch and tag. */
  readonly refs?: Readonly<Record<string, readonly CanonicalRow[]>>;
}

const IDS = [1, 2, 3, 4, 5, 6, 7, 8];
const PERSON_COLUMNS = [
  ['id', 'long'],
  ['customer', 'long'],
  ['email', 'string'],
] as const;
const BASE_COLUMNS = [
  ...PERSON_COLUMNS,
  ['city', 'string'],
  ['day', 'date'],
  ['at', 'timestamptz'],
  ['amount', 'decimal(9, 2)'],
] as const;

/** Id, customer and email of a row; rows 3 and 7 are one person's. */
export function personOf(id: number): readonly [id: string, customer: string, email: string] {
  const whose = id === 7 ? 3 : id;
  const email = whose === 3 ? PERSON.email : `person${whose}@example.org`;
  return [String(id), String(whose * 10), email];
}

const city = (id: number): string => ['Berlin', 'Bern', 'Oslo'][id % 3]!;
const day = (id: number): string => `2026-0${1 + (id % 3)}-1${id}`;

function base(id: number): CanonicalRow {
  return [...personOf(id), city(id), day(id), `2026-01-15T0${id % 5}:30:00.123456`, `${id}.50`];
}

function nested(id: number): CanonicalRow {
  const [, , email] = personOf(id);
  const attributes: Canonical[] = [
    ['a', String(id)],
    ['b', null],
  ];
  if (id === 4) return [...personOf(id), null, null, null];
  return [...personOf(id), [`tag${id}`, email], [`street of ${email}`, String(10_000 + id)], attributes];
}

const PLAIN_COLUMNS = [
  ...PERSON_COLUMNS,
  ['flag', 'boolean'],
  ['small', 'int'],
  ['real', 'float'],
  ['wide', 'double'],
  ['local', 'timestamp'],
  ['bytes', 'binary'],
] as const;

function plain(id: number): CanonicalRow {
  if (id === 4) return [...personOf(id), null, null, null, null, null, null];
  const numbers = [id % 2 === 0, String(id - 5), '0.25', String(id + 0.125)] as const;
  return [...personOf(id), ...numbers, `2026-03-1${id}T12:00:00.000001`, `0${id}ff00`];
}

function types(id: number): CanonicalRow {
  if (id === 4) return [...plain(id), null, null];
  return [...plain(id), `0${id}:02:03.000004`, `0000000${id}-0000-4000-8000-00000000000${id}`];
}

function moved(id: number): CanonicalRow {
  const [, , email] = personOf(id);
  return [...personOf(id), city(id), [`street of ${email}`, String(10_000 + id), id < 5 ? null : 'NO']];
}

const all = (row: (id: number) => CanonicalRow): readonly CanonicalRow[] => IDS.map(row);
const like = (title: string): Feature => ({
  title,
  columns: BASE_COLUMNS,
  written: all(base),
  visible: all(base),
});
/** Rows are deleted before Lethe comes, by a delete that leaves them in their files; row 7 is the person's. */
const hidden = (title: string, gone: readonly number[] = [2, 7]): Feature => ({
  ...like(title),
  visible: IDS.filter((id) => !gone.includes(id)).map(base),
});

/** As `base`, in another city. */
const inCity = (id: number, name: string): CanonicalRow =>
  base(id).map((value, at) => (at === 3 ? name : value));

/** Id, customer, email and one column more. */
const withOne = (title: string, type: string, value: (id: number) => string): Feature => {
  const rows = all((id) => [...personOf(id), value(id)]);
  return { title, columns: [...PERSON_COLUMNS, ['one', type]], written: rows, visible: rows };
};

const evolved = (id: number): CanonicalRow => [...personOf(id), city(id), `${id}.5`, id < 5 ? null : day(id)];

/** Every feature of the matrix; which engine writes which stands with the engine. */
export const FEATURES = {
  v1: like('format version 1'),
  v2: like('format version 2'),
  v3: like('format version 3'),
  transforms: like('partitions by bucket, truncate, month, hour'),
  days: like('partitions by identity, year, day'),
  respecified: like('a partition spec that changed'),
  positions: hidden('position deletes'),
  vectors: hidden('deletion vectors'),
  equality: hidden('equality deletes, one by the person’s email', [2, 3, 7]),
  rewritten: hidden('rows deleted copy-on-write, version 3 row ids'),
  overwritten: hidden('rows deleted copy-on-write'),
  merged: {
    ...like('rows updated and merged, merge-on-read'),
    visible: [1, 3, 4, 5, 6, 7, 8].map((id) =>
      id === 3 || id === 5 ? inCity(id, 'Rome') : id === 6 ? inCity(id, 'Lima') : base(id),
    ),
  },
  upgraded: hidden('version 1, then 2 with position deletes, then 3 with vectors'),
  evolved: {
    title: 'columns added, dropped, renamed, widened',
    columns: [...PERSON_COLUMNS, ['city', 'string'], ['score', 'double'], ['day', 'date']],
    // As the old columns take them; the second half has the day.
    written: IDS.map(evolved),
    visible: IDS.map(evolved),
  },
  defaults: {
    title: 'a default value',
    columns: [...PERSON_COLUMNS, ['level', 'int']],
    written: IDS.map((id) => (id < 5 ? personOf(id) : [...personOf(id), String(id)])),
    visible: IDS.map((id) => [...personOf(id), id < 5 ? '7' : String(id)]),
  },
  moved: {
    title: 'fields of a struct added and renamed, columns moved',
    columns: [...PERSON_COLUMNS, ['city', 'string'], ['address', 'struct(street, zip, country)']],
    // The first half comes before the changes.
    written: all(moved),
    visible: all(moved),
  },
  refs: {
    ...like('a tag and a branch'),
    // Both are made of the first half; row 7 is appended to the branch alone.
    refs: { before: IDS.slice(0, 4).map(base), audit: [1, 2, 3, 4, 7].map(base) },
  },
  expired: hidden('old snapshots expired by the writer'),
  merged_deletes: hidden('position deletes that the writer rewrote'),
  elsewhere: like('files in folders apart from the table’s location'),
  statistics: like('statistics files of columns and partitions'),
  layout: like('paths by hash, bloom filters, metrics in full'),
  imported: like('files without field ids, by a name mapping'),
  sorted: like('a sort order'),
  nested: {
    title: 'list, struct, map',
    columns: [...PERSON_COLUMNS, ['tags', 'list'], ['address', 'struct(street, zip)'], ['attributes', 'map']],
    written: all(nested),
    visible: all(nested),
  },
  plain: {
    title: 'boolean, int, float, double, timestamp, binary',
    columns: PLAIN_COLUMNS,
    written: all(plain),
    visible: all(plain),
  },
  types: {
    title: 'boolean, int, float, double, timestamp, binary, time, uuid',
    columns: [...PLAIN_COLUMNS, ['clock', 'time'], ['key', 'uuid']],
    written: all(types),
    visible: all(types),
  },
  codecs: like('compressed metadata, another Parquet codec'),
  // These Lethe refuses.
  orc: like('data files in ORC'),
  avro: like('data files in Avro'),
  fixed: withOne('a column of type fixed', 'fixed', (id) => `0${id}ff00ff`),
  variant: withOne('a column of type variant', 'variant', (id) => `{"a":${id}}`),
} satisfies Readonly<Record<string, Feature>>;

export type FeatureName = keyof typeof FEATURES;
