/** A place in a text file, all counted from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * What a caller can do about an error; the command line turns it into its exit code.
 *
 * - `input`: what was passed in is wrong (usage, governance files, events); nothing was started. Exit 2.
 * - `refused`: the work would break a promise, so nothing was changed. Exit 3.
 * - `failed`: the world failed (a file gone or damaged, a race lost for good); what was done is said. Exit 4.
 */
export type ErrorKind = 'input' | 'refused' | 'failed';

/** Data fields of an error. They never hold a value of a person. */
export type ErrorData = Readonly<Record<string, unknown>>;

/** What an error says besides its message. */
export interface ErrorDetail {
  /** The next action, a sentence a person can follow. */
  readonly remedy: string;
  readonly data?: ErrorData;
  readonly cause?: unknown;
}

/**
 * The base of every error that Lethe throws on purpose.
 *
 * `code` is stable and lower-case with an area before the slash (`iceberg/truncated-metadata`); match on it, never on
 * the message. `remedy` names the next action and is part of the message.
 */
export class LetheError extends Error {
  readonly code: string;
  readonly kind: ErrorKind;
  readonly remedy: string;
  readonly data: ErrorData;

  constructor(kind: ErrorKind, code: string, message: string, detail: ErrorDetail) {
    super(
      withoutPartitions(`${message}. ${detail.remedy}`),
      detail.cause === undefined ? undefined : { cause: detail.cause },
    );
    this.name = new.target.name;
    this.kind = kind;
    this.code = code;
    this.remedy = withoutPartitions(detail.remedy);
    this.data = shownData(detail.data ?? {}) as ErrorData;
  }

  /** What happened, without the next action that `message` ends with. */
  get reason(): string {
    return this.message.slice(0, -`. ${this.remedy}`.length);
  }
}

/**
 * Folders of partitions are named for the values of rows (`/email=ada%40post.ex/`): what is shown keeps the column alone (rule E3).
 */
export function withoutPartitions(text: string): string {
  return text.replace(/([/\\][^/\\\s=]+)=[^/\\\s]*(?=[/\\])/g, '$1=***');
}

function shownData(data: unknown): unknown {
  if (typeof data === 'string') return withoutPartitions(data);
  if (Array.isArray(data)) return data.map(shownData);
  if (typeof data !== 'object' || data === null || Object.getPrototypeOf(data) !== Object.prototype)
    return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, shownData(value)]));
}

/** What was passed in is wrong; nothing was started. */
export class InputError extends LetheError {
  constructor(code: string, message: string, detail: ErrorDetail) {
    super('input', code, message, detail);
  }
}

/** The work would break a promise; nothing was changed. */
export class RefusedError extends LetheError {
  constructor(code: string, message: string, detail: ErrorDetail) {
    super('refused', code, message, detail);
  }
}

/** Something outside failed: a file that is gone or damaged, a service, a race lost for good. */
export class FailedError extends LetheError {
  constructor(code: string, message: string, detail: ErrorDetail) {
    super('failed', code, message, detail);
  }
}
