import type { Cursor } from './cursor.ts';
import { recordMaker } from './decoded-record.ts';
import { passing } from './pass.ts';
import {
  type AvroRecordSchema,
  type AvroSchema,
  type AvroValue,
  damagedAvro,
  fieldKey,
  type NamedTypes,
} from './schema.ts';

/** Reads one value of a schema. */
export type Decoder = (cursor: Cursor) => AvroValue;

/** An array of values that take no bytes could claim any count; none of Iceberg's has more than this. */
const MOST_EMPTY_ITEMS = 1_000_000;
const DEEPEST = 64;

/** What of a file is decoded, and how. Keys are those of {@link fieldKey}. */
export interface DecodeOptions {
  /** Iceberg's maps with integer keys, which Avro has as arrays of key and value, come as maps, each in a fraction of the memory. */
  readonly numberedMaps?: boolean;
  /** Only these fields, at any depth; all others are passed over and come as null. */
  readonly only?: ReadonlySet<string>;
  /** Records whose field `key` is one of these are passed over, and not given. */
  readonly unless?: { readonly key: string; readonly is: (value: AvroValue) => boolean };
}

/** Readers by the schema and the options they were made of: thousands of manifests have both in common. */
const made = new WeakMap<object, WeakMap<DecodeOptions, Decoder>>();

/**
 * Makes the reader of a schema, once for all files of the same schema that are read with the same options.
 *
 * @throws FailedError `iceberg/damaged-avro` for a schema that is none, or nested beyond 64 levels
 */
export function decoderOf(file: string, schema: AvroSchema, options: DecodeOptions): Decoder {
  const make = (): Decoder => compile({ file, named: new Map(), ...options }, schema, 0);
  if (typeof schema !== 'object' || schema === null) return make();
  const readers = made.get(schema) ?? new WeakMap<DecodeOptions, Decoder>();
  made.set(schema, readers);
  const reader = readers.get(options) ?? make();
  readers.set(options, reader);
  return reader;
}

interface Compiling extends DecodeOptions {
  readonly file: string;
  readonly named: NamedTypes;
}

function compile(at: Compiling, schema: AvroSchema, depth: number): Decoder {
  if (depth > DEEPEST) throw damagedAvro(at.file, 'the schema is nested too deeply');
  if (typeof schema === 'string') return primitive(at, schema);
  if (Array.isArray(schema)) return union(schema.map((branch: AvroSchema) => compile(at, branch, depth + 1)));
  if (typeof schema !== 'object' || schema === null || !('type' in schema)) {
    throw damagedAvro(at.file, 'the schema in the header is no Avro schema');
  }
  switch (schema.type) {
    case 'record':
      return record(at, schema, depth);
    case 'array': {
      const items = compile(at, schema.items, depth + 1);
      const value = at.numberedMaps === true ? valueOfMap(schema.items) : undefined;
      return value === undefined ? array(items) : numberedMap(compile(at, value, depth + 2));
    }
    case 'map':
      return map(compile(at, schema.values, depth + 1));
    case 'fixed':
      return define(at, schema.name, fixed(at, schema.size));
    case 'enum':
      return define(at, schema.name, symbol(schema.symbols));
    default:
      return compile(at, schema.type, depth + 1);
  }
}

function primitive(at: Compiling, name: string): Decoder {
  switch (name) {
    case 'null':
      return () => null;
    case 'boolean':
      return (cursor) => cursor.boolean();
    case 'int':
      return (cursor) => cursor.int();
    case 'long':
      return (cursor) => cursor.long();
    case 'float':
      return (cursor) => cursor.float();
    case 'double':
      return (cursor) => cursor.double();
    case 'bytes':
      return (cursor) => cursor.bytes();
    case 'string':
      return (cursor) => cursor.string();
    default: {
      const known = at.named.get(name) as Decoder | undefined;
      if (known === undefined) throw damagedAvro(at.file, 'the schema names a type that it does not define');
      return known;
    }
  }
}

function define(at: Compiling, name: string, decoder: Decoder): Decoder {
  at.named.set(name, decoder);
  return decoder;
}

function record(at: Compiling, schema: AvroRecordSchema, depth: number): Decoder {
  if (!Array.isArray(schema.fields)) throw damagedAvro(at.file, 'a record of the schema has no fields');
  const make = recordMaker(schema.fields.map(fieldKey));
  const readers = schema.fields.map((field) => {
    const read = compile(at, field.type, depth + 1);
    return at.only === undefined || at.only.has(fieldKey(field)) ? read : passing(field.type, read);
  });
  const tested =
    depth === 0 && at.unless !== undefined ? schema.fields.map(fieldKey).indexOf(at.unless.key) : -1;
  if (tested >= 0) return testing({ readers, make, tested, is: at.unless!.is, schema });
  return define(at, schema.name, (cursor) => make(readers.map((read) => read(cursor))));
}

interface Testing {
  readonly readers: readonly Decoder[];
  readonly make: (values: readonly AvroValue[]) => AvroValue;
  /** The index of the field that decides. */
  readonly tested: number;
  readonly is: (value: AvroValue) => boolean;
  readonly schema: AvroRecordSchema;
}

/** Null for a record that is passed over: nothing of it is kept from the field on that decides. */
function testing({ readers, make, tested, is, schema }: Testing): Decoder {
  const pass = schema.fields
    .slice(tested + 1)
    .map(({ type }, index) => passing(type, readers[tested + 1 + index]!));
  return (cursor) => {
    const values: AvroValue[] = [];
    for (const [index, read] of readers.entries()) {
      const value = read(cursor);
      if (index === tested && is(value)) {
        for (const rest of pass) rest(cursor);
        return null;
      }
      values.push(value);
    }
    return make(values);
  };
}

function union(readers: readonly Decoder[]): Decoder {
  return (cursor) => {
    const read = readers[cursor.int()];
    if (read === undefined) throw cursor.fail('a union has no such branch');
    return read(cursor);
  };
}

function array(item: Decoder): Decoder {
  return (cursor) => {
    const items: AvroValue[] = [];
    blocks(cursor, () => items.push(item(cursor)));
    return items;
  };
}

/** The schema of the values, where the items are the entries of a map with integer keys. Some writers give them no field ids. */
function valueOfMap(items: AvroSchema): AvroSchema | undefined {
  if (typeof items === 'string' || !('type' in items) || items.type !== 'record') return undefined;
  const [key, value] = items.fields;
  const isMap =
    items.fields.length === 2 && key!.type === 'int' && key!.name === 'key' && value!.name === 'value';
  return isMap ? value!.type : undefined;
}

function numberedMap(value: Decoder): Decoder {
  return (cursor) => {
    const entries = new Map<number, AvroValue>();
    blocks(cursor, () => entries.set(cursor.int(), value(cursor)));
    return entries;
  };
}

function map(value: Decoder): Decoder {
  return (cursor) => {
    const entries = new Map<string, AvroValue>();
    blocks(cursor, () => entries.set(cursor.string(), value(cursor)));
    return entries;
  };
}

function blocks(cursor: Cursor, item: () => void): void {
  let empty = 0;
  for (;;) {
    let count = cursor.count();
    if (count === 0) return;
    if (count < 0) {
      count = -count;
      cursor.length();
    }
    for (; count > 0; count -= 1) {
      const before = cursor.remaining;
      item();
      if (cursor.remaining === before) empty += 1;
      if (empty > MOST_EMPTY_ITEMS) throw cursor.fail('an array claims too many items that take no bytes');
    }
  }
}

function fixed(at: Compiling, size: number): Decoder {
  if (!(Number.isSafeInteger(size) && size >= 0))
    throw damagedAvro(at.file, 'a fixed of the schema has no size');
  return (cursor) => cursor.take(size);
}

function symbol(symbols: readonly string[]): Decoder {
  return (cursor) => {
    const name = symbols[cursor.int()];
    if (name === undefined) throw cursor.fail('an enum has no such symbol');
    return name;
  };
}
