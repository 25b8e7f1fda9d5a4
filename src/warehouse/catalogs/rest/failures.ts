import { FailedError, LetheError, RefusedError } from '../../../errors.ts';

/** What a server says about an error, in the words of the specification; `type` is a class name such as `NoSuchTableException`. */
export interface ServerError {
  readonly status: number;
  readonly type: string | null;
  /** The first line, shortened and without anything secret. */
  readonly message: string | null;
}

/** The error where no connection was made. */
export function unreachable(server: string, why: string): FailedError {
  return new FailedError('catalog/unreachable', `The catalog at ${server} cannot be reached (${why})`, {
    remedy:
      'Nothing was changed by this step. Check that the catalog is up and its uri right, then run again',
    data: { catalog: server, error: why },
  });
}

/** The error where a request was sent and no whole answer came. */
export function noAnswer(server: string, why: string): FailedError {
  return new FailedError('catalog/no-answer', `The catalog at ${server} gave no whole answer (${why})`, {
    remedy: 'Check that the catalog is up, then run again: what was committed is found by reading the table',
    data: { catalog: server, error: why },
  });
}

/** The error for an answer that never ends. */
export function answerTooLarge(server: string, largest: number): FailedError {
  return new FailedError(
    'catalog/answer-too-large',
    `The catalog at ${server} answers with more than ${largest} bytes`,
    {
      remedy:
        'Expire snapshots of that table with another engine first, or check what answers at that address',
      data: { catalog: server, largest },
    },
  );
}

/** The error for an answer that the specification does not know. */
export function badAnswer(server: string, what: string, status?: number): FailedError {
  return new FailedError('catalog/bad-answer', `The catalog at ${server} ${what}`, {
    remedy:
      'Check that the uri is that of an Iceberg REST catalog, without /v1, and what stands between it and here',
    data: { catalog: server, ...(status === undefined ? {} : { status }) },
  });
}

/** The error for what a catalog may want, and Lethe does not do. */
export function unsupported(
  server: string,
  what: string,
  { remedy, data = {} }: { readonly remedy: string; readonly data?: Readonly<Record<string, string>> },
): RefusedError {
  return new RefusedError('catalog/unsupported', `The catalog at ${server} ${what}`, {
    remedy,
    data: { catalog: server, ...data },
  });
}

/** The error for a redirect that may not be followed. */
export function redirected(server: string, to: string, status: number): RefusedError {
  return new RefusedError('catalog/redirect', `The catalog at ${server} redirects to ${to} (${status})`, {
    remedy: 'Nothing was sent there. If that is the catalog, name it in `uri`',
    data: { catalog: server, to, status },
  });
}

/** The error for a status that refuses, by what it means. */
export function serverFailed(server: string, error: ServerError): FailedError {
  const { status, type, message } = error;
  const [code, what, remedy] = MEANINGS[status] ?? MEANINGS[status >= 500 ? 500 : 400]!;
  const said = [type, message].filter((text) => text !== null).join(': ');
  return new FailedError(
    `catalog/${code}`,
    `The catalog at ${server} ${what} (${status}${said === '' ? '' : `, ${said}`})`,
    {
      remedy,
      data: { catalog: server, status, type },
    },
  );
}

const ANSWERED = 'Nothing was changed by this request';

const MEANINGS: Readonly<Record<number, readonly [code: string, what: string, remedy: string]>> = {
  400: ['bad-request', 'refused the request', `${ANSWERED}. The catalog's own log says why`],
  401: [
    'unauthorized',
    'does not know who asks',
    `${ANSWERED}. Give a token or client credentials that are still valid, then run again`,
  ],
  403: [
    'forbidden',
    'does not allow this',
    `${ANSWERED}. Grant the right to read and commit these tables, then run again`,
  ],
  404: ['not-found', 'has nothing there', `${ANSWERED}. Check the warehouse and the prefix`],
  409: [
    'conflict',
    'answers that something else was first',
    'Load the table again, plan again, and try again',
  ],
  419: [
    'unauthorized',
    'says that the session has ended',
    `${ANSWERED}. Give a token or client credentials that are still valid, then run again`,
  ],
  429: ['busy', 'has too much to do', `${ANSWERED}. Run again later`],
  500: [
    'server-failed',
    'failed',
    'Run again once the catalog works: what was committed is found by reading the table',
  ],
};

/** The status that a server answered with, if that is what went wrong. */
export function statusOf(cause: unknown): number | null {
  return cause instanceof LetheError && typeof cause.data.status === 'number' ? cause.data.status : null;
}

/** Whether the server may have done what it was asked for, although it did not say so. */
export function isUnknown(cause: unknown): boolean {
  return cause instanceof LetheError && UNKNOWN.has(cause.code);
}

const UNKNOWN = new Set([
  'catalog/no-answer',
  'catalog/server-failed',
  'catalog/bad-answer',
  'catalog/answer-too-large',
]);

/** Whether a question may be answered if it is asked again. */
export function isPassing(cause: unknown): boolean {
  return cause instanceof LetheError && PASSING.has(cause.code);
}

const PASSING = new Set([
  'catalog/unreachable',
  'catalog/no-answer',
  'catalog/server-failed',
  'catalog/busy',
  'catalog/bad-answer',
]);
