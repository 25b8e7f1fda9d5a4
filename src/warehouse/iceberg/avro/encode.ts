import type { AvroRecord, AvroRecordSchema, AvroSchema, AvroValue } from './schema.ts';
import type { Sink } from './sink.ts';

/** Writes one value of a schema. */
export type Encoder = (sink: Sink, value: AvroValue) => void;

/**
 * Makes the writer of a schema. It knows what Iceberg's metadata is made of: records, arrays, fixed, primitives, and unions of
 * null with one other type. Records are written by the names of their fields. A value that does not fit its schema is a fault of the caller and throws a TypeError.
 */
export function encoderOf(schema: AvroSchema): Encoder {
  if (typeof schema === 'string') return primitive(schema);
  if (Array.isArray(schema)) return optional(schema as readonly AvroSchema[]);
  if ('type' in schema) {
    switch (schema.type) {
      case 'record':
        return record(schema);
      case 'array':
        return array(
          encoderOf(schema.items),
          schema.logicalType === 'map' ? numberedMap(schema.items) : null,
        );
      case 'fixed':
        return fixed(schema.size);
      case 'map':
      case 'enum':
        throw new TypeError(`Iceberg's metadata has no Avro ${schema.type}`);
      default:
        return encoderOf(schema.type);
    }
  }
  throw new TypeError('not an Avro schema');
}

function primitive(name: string): Encoder {
  switch (name) {
    case 'null':
      return () => {};
    case 'boolean':
      return (sink, value) => sink.boolean(value as boolean);
    case 'int':
      return (sink, value) => {
        if (!(typeof value === 'number' && value === (value | 0)))
          throw new TypeError('not a 32-bit integer');
        sink.int(value);
      };
    case 'long':
      return (sink, value) => {
        if (typeof value !== 'bigint' || value !== BigInt.asIntN(64, value)) {
          throw new TypeError('not a 64-bit integer');
        }
        sink.long(value);
      };
    case 'float':
      return (sink, value) => sink.float(value as number);
    case 'double':
      return (sink, value) => sink.double(value as number);
    case 'bytes':
      return (sink, value) => sink.bytes(value as Uint8Array);
    case 'string':
      return (sink, value) => sink.string(value as string);
    default:
      throw new TypeError(`no Avro type ${name}`);
  }
}

function record(schema: AvroRecordSchema): Encoder {
  const fields = schema.fields.map(({ name, type }) => ({ name, write: encoderOf(type) }));
  return (sink, value) => {
    for (const { name, write } of fields) write(sink, (value as AvroRecord)[name] ?? null);
  };
}

function optional(branches: readonly AvroSchema[]): Encoder {
  const [none, some] = branches;
  if (branches.length !== 2 || none !== 'null' || some === undefined) {
    throw new TypeError('only unions of null and one type are written');
  }
  const write = encoderOf(some);
  return (sink, value) => {
    sink.int(value === null ? 0 : 1);
    if (value !== null) write(sink, value);
  };
}

/** `map` writes the values that are maps. */
function array(write: Encoder, map: Encoder | null): Encoder {
  return (sink, value) => {
    if (map !== null && value instanceof Map) {
      map(sink, value);
      return;
    }
    const items = value as readonly AvroValue[];
    if (items.length > 0) {
      sink.int(items.length);
      for (const item of items) write(sink, item);
    }
    sink.int(0);
  };
}

/** A map with integer keys, as an array of key and value in the order of the keys. */
function numberedMap(items: AvroSchema): Encoder {
  const { fields } = items as AvroRecordSchema;
  const [key, value] = fields.map(({ type }) => encoderOf(type));
  return (sink, map) => {
    const entries = map as ReadonlyMap<number, AvroValue>;
    if (entries.size > 0) {
      sink.int(entries.size);
      for (const id of ascending(entries)) {
        key!(sink, id);
        value!(sink, entries.get(id)!);
      }
    }
    sink.int(0);
  };
}

function ascending(map: ReadonlyMap<number, unknown>): Iterable<number> {
  let last = Number.NEGATIVE_INFINITY;
  for (const id of map.keys()) {
    if (id < last) return [...map.keys()].sort((a, b) => a - b);
    last = id;
  }
  return map.keys();
}

function fixed(size: number): Encoder {
  return (sink, value) => {
    if (!(value instanceof Uint8Array) || value.length !== size) throw new TypeError(`not ${size} bytes`);
    sink.raw(value);
  };
}
