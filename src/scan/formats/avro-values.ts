import type { AvroSchema, AvroValue } from '../../warehouse/iceberg/avro/index.ts';
import { Unread } from '../unread.ts';

/** A scalar in an Avro record, with the names of the fields that lead to it. */
export interface AvroScalar {
  readonly value: boolean | number | bigint | string | Uint8Array;
  readonly name: string;
  readonly fieldId: number | undefined;
  readonly type: AvroSchema;
}

type Named = Map<string, AvroSchema>;

/** Every scalar of a record, by the writer's schema. Array items and map values carry the name of what holds them. */
export class AvroWalk {
  readonly #named: Named = new Map();
  readonly #schema: AvroSchema;

  constructor(schema: AvroSchema) {
    this.#schema = schema;
    this.#define(schema);
  }

  /** The names of a record's own fields. */
  get topLevelNames(): readonly string[] {
    return fieldsOf(this.#schema).map((field) => field.name);
  }

  scalars(record: AvroValue): Generator<AvroScalar> {
    return this.#walk(record, this.#schema, { name: '', fieldId: undefined });
  }

  *#walk(
    value: AvroValue,
    schema: AvroSchema,
    at: { readonly name: string; readonly fieldId: number | undefined },
  ): Generator<AvroScalar> {
    if (value === null) return;
    const type = this.#branch(schema, value);
    if (typeof value !== 'object' || value instanceof Uint8Array) {
      yield { value, type, ...at };
    } else if (Array.isArray(value)) {
      const items = (type as { readonly items: AvroSchema }).items;
      for (const item of value as readonly AvroValue[]) {
        yield* this.#walk(item, items, { name: join(at.name, 'element'), fieldId: at.fieldId });
      }
    } else if (value instanceof Map) {
      const values = (type as { readonly values: AvroSchema }).values;
      for (const [key, item] of value as ReadonlyMap<string, AvroValue>) {
        yield { value: key, type: 'string', name: join(at.name, 'key'), fieldId: undefined };
        yield* this.#walk(item, values, { name: join(at.name, 'value'), fieldId: undefined });
      }
    } else {
      for (const field of fieldsOf(type)) {
        const id = field['field-id'];
        const item = (value as Readonly<Record<string, AvroValue>>)[
          id === undefined ? field.name : String(id)
        ];
        if (item === undefined) throw new Unread('a record of the Avro file lacks a field of its schema');
        yield* this.#walk(item, field.type, { name: join(at.name, field.name), fieldId: id });
      }
    }
  }

  /** The branch of a union that a value belongs to; named types are looked up. */
  #branch(schema: AvroSchema, value: AvroValue): AvroSchema {
    const resolved = this.#resolve(schema);
    if (!Array.isArray(resolved)) return resolved;
    const branches = (resolved as readonly AvroSchema[]).map((branch) => this.#resolve(branch));
    return branches.find((branch) => fits(branch, value)) ?? 'null';
  }

  #resolve(schema: AvroSchema): AvroSchema {
    if (typeof schema === 'string') return this.#named.get(schema) ?? schema;
    const inner = innerType(schema);
    return inner === undefined ? schema : this.#resolve(inner);
  }

  #define(schema: AvroSchema): void {
    if (typeof schema === 'string') return;
    if (Array.isArray(schema)) {
      for (const branch of schema as readonly AvroSchema[]) this.#define(branch);
      return;
    }
    if ('name' in schema) this.#named.set(schema.name, schema);
    for (const field of fieldsOf(schema)) this.#define(field.type);
    if ('items' in schema) this.#define(schema.items as AvroSchema);
    if ('values' in schema && typeof schema.values !== 'function') this.#define(schema.values);
    const inner = innerType(schema);
    if (inner !== undefined) this.#define(inner);
  }
}

/** A type may be written as an object around another one. */
function innerType(schema: AvroSchema): AvroSchema | undefined {
  if (typeof schema !== 'object' || !('type' in schema)) return undefined;
  const inner: unknown = schema.type;
  return typeof inner === 'object' ? (inner as AvroSchema) : undefined;
}

/** The name of an Avro type: `long`, `record`, …; with its logical type if it has one. */
export function avroType(schema: AvroSchema): {
  readonly type: string;
  readonly logicalType?: string;
  readonly scale?: number;
} {
  if (typeof schema === 'string') return { type: schema };
  return schema as unknown as { type: string; logicalType?: string; scale?: number };
}

function fits(branch: AvroSchema, value: AvroValue): boolean {
  const { type } = avroType(branch);
  if (typeof value === 'string') return type === 'string' || type === 'enum';
  if (typeof value === 'bigint') return type === 'long';
  if (typeof value === 'number') return type === 'int' || type === 'float' || type === 'double';
  if (typeof value === 'boolean') return type === 'boolean';
  if (value instanceof Uint8Array) return type === 'bytes' || type === 'fixed';
  if (Array.isArray(value)) return type === 'array';
  if (value instanceof Map) return type === 'map';
  if (type !== 'record') return false;
  return fieldsOf(branch).every((field) => String(field['field-id'] ?? field.name) in (value as object));
}

function fieldsOf(
  schema: AvroSchema,
): readonly { readonly name: string; readonly type: AvroSchema; readonly 'field-id'?: number }[] {
  return typeof schema === 'object' && 'fields' in schema ? schema.fields : [];
}

function join(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`;
}
