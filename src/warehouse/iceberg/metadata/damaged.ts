import { FailedError, RefusedError } from '../../../errors.ts';

/** A JSON object as metadata holds it: integers beyond 2^53 are bigint. */
export type Json = Readonly<Record<string, unknown>>;

/**
 * The error for metadata that breaks the specification. Names the file, says what is wrong.
 *
 * Code `iceberg/damaged-metadata`.
 */
export function damaged(file: string, what: string, cause?: unknown): FailedError {
  return new FailedError('iceberg/damaged-metadata', `${file}: ${what}`, {
    remedy: 'Restore the file from a copy, or point the catalog to an earlier version of the table',
    data: { file },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The error for what the specification allows and this version does not touch; nothing was changed. */
export function unsupported(code: string, what: string, data: Json = {}): RefusedError {
  return new RefusedError(`iceberg/${code}`, what, {
    remedy: 'Use an engine that supports it, or leave the table as it is',
    data,
  });
}

/** Reads fields of one JSON object of a metadata file and names what is missing or of the wrong type. */
export class JsonReader {
  readonly #file: string;
  readonly #where: string;
  readonly #json: Json;

  constructor(file: string, where: string, json: unknown) {
    this.#file = file;
    this.#where = where;
    if (typeof json !== 'object' || json === null || Array.isArray(json)) throw this.fault('is no object');
    this.#json = json as Json;
  }

  get json(): Json {
    return this.#json;
  }

  has(key: string): boolean {
    return this.#json[key] !== undefined && this.#json[key] !== null;
  }

  int(key: string): number {
    const value = this.#json[key];
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw this.fault(`has no integer ${key}`);
    return value;
  }

  /** A 64-bit integer; JSON may hold it as a number or, beyond 2^53, as a bigint. */
  long(key: string): bigint {
    const value = this.#json[key];
    if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
    if (typeof value === 'bigint' && value === BigInt.asIntN(64, value)) return value;
    throw this.fault(`has no 64-bit integer ${key}`);
  }

  text(key: string): string {
    const value = this.#json[key];
    if (typeof value !== 'string') throw this.fault(`has no text ${key}`);
    return value;
  }

  boolean(key: string): boolean {
    const value = this.#json[key];
    if (typeof value !== 'boolean') throw this.fault(`has no boolean ${key}`);
    return value;
  }

  list(key: string): readonly unknown[] {
    const value = this.#json[key] ?? [];
    if (!Array.isArray(value)) throw this.fault(`has no list ${key}`);
    return value;
  }

  object(key: string): JsonReader {
    return new JsonReader(this.#file, `${this.#where}, ${key}`, this.#json[key]);
  }

  objects(key: string): readonly JsonReader[] {
    return this.list(key).map(
      (item, index) => new JsonReader(this.#file, `${this.#where}, ${key}[${index}]`, item),
    );
  }

  /** An object of texts, such as properties; what is no text there is written as JSON would. */
  texts(key: string): Readonly<Record<string, string>> {
    if (!this.has(key)) return {};
    const entries = Object.entries(this.object(key).json);
    return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
  }

  fault(what: string): FailedError {
    return damaged(this.#file, `${this.#where} ${what}`);
  }
}
