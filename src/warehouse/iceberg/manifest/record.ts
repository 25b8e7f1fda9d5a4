import type { AvroField, AvroRecord, AvroSchema, AvroValue } from '../avro/index.ts';
import { damaged, unsupported } from '../metadata/damaged.ts';

/** Reads the fields of a decoded record by their ids and names what is missing or of another type. */
export class RecordReader {
  readonly file: string;
  readonly #record: AvroRecord;

  constructor(file: string, record: AvroRecord) {
    this.file = file;
    this.#record = record;
  }

  /** Whether the file's schema has the field at all. */
  has(id: number): boolean {
    return String(id) in this.#record;
  }

  value(id: number): AvroValue {
    return this.#record[id] ?? null;
  }

  /** Key and value of a map's entry. BigQuery gives them no field ids; their names are the only thing left then. */
  entry([keyId, valueId]: readonly [number, number]): readonly [number, AvroValue] {
    const key = this.value(keyId) ?? this.#record.key;
    if (typeof key !== 'number') throw this.#fault(keyId, 'integer');
    return [key, this.value(valueId) ?? this.#record.value ?? null];
  }

  int(id: number, otherwise?: number): number {
    const value = this.value(id) ?? otherwise;
    if (typeof value !== 'number') throw this.#fault(id, 'integer');
    return value;
  }

  /** A long, which version 1 wrote as an int in places. */
  long(id: number, otherwise?: bigint): bigint {
    const value = this.value(id) ?? otherwise;
    if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
    if (typeof value !== 'bigint') throw this.#fault(id, 'long');
    return value;
  }

  text(id: number): string {
    const value = this.value(id);
    if (typeof value !== 'string') throw this.#fault(id, 'text');
    return value;
  }

  boolean(id: number, otherwise: boolean): boolean {
    const value = this.value(id) ?? otherwise;
    if (typeof value !== 'boolean') throw this.#fault(id, 'boolean');
    return value;
  }

  bytes(id: number): Uint8Array | null {
    const value = this.value(id);
    if (value !== null && !(value instanceof Uint8Array)) throw this.#fault(id, 'binary');
    return value;
  }

  list(id: number): readonly AvroValue[] {
    const value = this.value(id) ?? [];
    if (!Array.isArray(value)) throw this.#fault(id, 'list');
    return value;
  }

  records(id: number): readonly RecordReader[] {
    return this.list(id).map((item) => this.#nested(id, item));
  }

  record(id: number): RecordReader {
    return this.#nested(id, this.value(id));
  }

  encrypted(): Error {
    return unsupported('encrypted', `${this.file} names an encrypted file`, { file: this.file });
  }

  #nested(id: number, value: AvroValue): RecordReader {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Uint8Array) {
      throw this.#fault(id, 'record');
    }
    return new RecordReader(this.file, value as AvroRecord);
  }

  #fault(id: number, what: string): Error {
    return damaged(this.file, `an entry has no ${what} in field ${id}`);
  }
}

/** An optional field, as Iceberg writes all of them: null or the type, null by default. */
export function optional(name: string, id: number, type: AvroSchema): AvroField {
  return { name, type: ['null', type], default: null, 'field-id': id };
}
