import type { AvroRecord, AvroValue } from './schema.ts';

// Symbols, because a file may name a field `keys` or `values`.
const KEYS = Symbol('keys');
const VALUES = Symbol('values');

/** The values of a record in the order of its fields; a subclass for each schema knows them by their keys. */
abstract class DecodedRecord {
  abstract readonly [KEYS]: readonly string[];
  readonly [VALUES]: readonly AvroValue[];

  constructor(values: readonly AvroValue[]) {
    this[VALUES] = values;
  }
}

/**
 * Makes records that know their values by `keys`. Field ids as keys of plain objects would be taken for indexes, and an object
 * with the keys 117 and 118 for an array of that length: a kilobyte for two numbers, a gigabyte for a large manifest.
 */
export function recordMaker(keys: readonly string[]): (values: readonly AvroValue[]) => AvroRecord {
  class Keyed extends DecodedRecord {
    get [KEYS](): readonly string[] {
      return keys;
    }
  }
  for (const [index, key] of keys.entries()) {
    Object.defineProperty(Keyed.prototype, key, {
      get(this: DecodedRecord): AvroValue {
        return this[VALUES][index] ?? null;
      },
    });
  }
  return (values) => new Keyed(values) as unknown as AvroRecord;
}

/** Keys and values of a record that {@link readAvro} gave, in the order of its fields; `Object.entries` does not see them. */
export function recordEntries(record: AvroRecord): readonly (readonly [string, AvroValue])[] {
  const { [KEYS]: keys, [VALUES]: values } = record as unknown as DecodedRecord;
  return keys.map((key, index) => [key, values[index] ?? null]);
}
