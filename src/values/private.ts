import { inspect } from 'node:util';

/**
 * Holds values of a person in memory. Printing, logging or serialising it shows `***`; only {@link Private.reveal} gives
 * the values back, so a search for `reveal` finds every place where they are used.
 */
export class Private<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** The values themselves. What receives them must not log, store or throw them. */
  reveal(): T {
    return this.#value;
  }

  toJSON(): string {
    return '***';
  }

  toString(): string {
    return '***';
  }

  [inspect.custom](): string {
    return '***';
  }
}
