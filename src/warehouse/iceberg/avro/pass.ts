import type { Cursor } from './cursor.ts';
import type { Decoder } from './decode.ts';
import type { AvroSchema } from './schema.ts';

/** Passes over a value of a schema that was compiled to `read`, and keeps nothing of it. */
export function passing(schema: AvroSchema, read: Decoder): Decoder {
  return (
    passer(schema) ??
    ((cursor) => {
      read(cursor);
      return null;
    })
  );
}

/** Undefined for what takes a decoder to pass over: named types and maps with texts as keys. */
function passer(schema: AvroSchema): Decoder | undefined {
  if (Array.isArray(schema)) return ofUnion(schema as readonly AvroSchema[]);
  if (typeof schema === 'string') return PRIMITIVES[schema];
  if (!('type' in schema)) return undefined;
  switch (schema.type) {
    case 'array':
      return ofArray(passer(schema.items));
    case 'record':
      return ofRecord(schema.fields.map(({ type }) => passer(type)));
    case 'fixed':
    case 'map':
    case 'enum':
      return undefined;
    default:
      return passer(schema.type);
  }
}

const varint: Decoder = (cursor) => cursor.passVarint();

const bytes: Decoder = (cursor) => {
  cursor.bytes();
  return null;
};

const PRIMITIVES: Readonly<Record<string, Decoder | undefined>> = {
  null: () => null,
  boolean: (cursor) => {
    cursor.boolean();
    return null;
  },
  int: varint,
  long: varint,
  bytes,
  string: bytes,
};

function ofUnion(branches: readonly AvroSchema[]): Decoder | undefined {
  const passers = known(branches.map(passer));
  if (passers === undefined) return undefined;
  return (cursor) => {
    const pass = passers[cursor.int()];
    if (pass === undefined) throw cursor.fail('a union has no such branch');
    return pass(cursor);
  };
}

function ofRecord(fields: readonly (Decoder | undefined)[]): Decoder | undefined {
  const passers = known(fields);
  if (passers === undefined) return undefined;
  return (cursor) => {
    for (const pass of passers) pass(cursor);
    return null;
  };
}

function ofArray(item: Decoder | undefined): Decoder | undefined {
  if (item === undefined) return undefined;
  return (cursor) => {
    for (let count = sized(cursor); count !== 0; count = sized(cursor)) {
      for (; count > 0; count -= 1) {
        const before = cursor.remaining;
        item(cursor);
        if (cursor.remaining === before) throw cursor.fail('an array claims items that take no bytes');
      }
    }
    return null;
  };
}

/** The number of items of the next block. */
function sized(cursor: Cursor): number {
  const count = cursor.count();
  if (count < 0) cursor.length();
  return Math.abs(count);
}

function known(passers: readonly (Decoder | undefined)[]): readonly Decoder[] | undefined {
  return passers.every((pass) => pass !== undefined) ? passers : undefined;
}
