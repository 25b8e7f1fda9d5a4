import { InputError } from '../errors.ts';

/** A dialect of SQL that predicates compile to. */
export type Dialect = 'duckdb' | 'spark' | 'trino' | 'databricks' | 'postgres';

const LONE_SURROGATE = /\p{Surrogate}/u;
/** What Spark reads as itself inside a plain literal: no quote, no backslash, no `$`, no control character. */
const SPARK_PLAIN = /^[\p{L}\p{M}\p{N}\p{Zs} !"#%&()*+,\-./:;<=>?@[\]^_`{|}~]*$/u;

/**
 * A name as an SQL identifier: the only way in which a name from data or files becomes SQL. Give one part at a time
 * ({@link quotePath} for several). Throws `predicate/unsafe-name` for a name that the dialect cannot hold.
 */
export function quoteName(dialect: Dialect, name: string): string {
  const fault = nameFault(dialect, name);
  if (fault !== null) {
    throw new InputError(
      'predicate/unsafe-name',
      `${JSON.stringify(name)} cannot be a name in ${dialect}: ${fault}`,
      {
        remedy: 'Rename the column or table',
        data: { dialect, name },
      },
    );
  }
  return isSpark(dialect) ? `\`${name.replaceAll('`', '``')}\`` : `"${name.replaceAll('"', '""')}"`;
}

/** Several names joined by dots: `['crm', 'learners']` to `"crm"."learners"`. Throws `predicate/unsafe-name`. */
export function quotePath(dialect: Dialect, path: readonly string[]): string {
  return path.map((name) => quoteName(dialect, name)).join('.');
}

/**
 * A text as an SQL literal: the only way in which a value becomes SQL. Throws `predicate/unsafe-text` (which never shows
 * the text) where the dialect cannot hold it.
 *
 * Spark replaces `${env:HOME}` and knows backslash escapes inside literals (hazard 43), so whatever is not plainly safe is
 * written in hex there. DuckDB ends a statement at NUL, so NUL is written as a call.
 */
export function quoteText(dialect: Dialect, text: string): string {
  if (LONE_SURROGATE.test(text)) throw unsafeText(dialect, 'it holds half of a surrogate pair');
  switch (dialect) {
    case 'spark':
    case 'databricks':
      return SPARK_PLAIN.test(text) ? `'${text}'` : `CAST(X'${Buffer.from(text).toString('hex')}' AS STRING)`;
    case 'duckdb': {
      const parts = text.split('\0').map(doubled);
      return parts.length === 1 ? parts[0]! : `(${parts.join(' || chr(0) || ')})`;
    }
    case 'postgres':
      if (text.includes('\0')) throw unsafeText(dialect, 'it holds NUL');
      // E'' with doubled backslashes means the same whatever standard_conforming_strings is.
      return text.includes('\\') ? `E${doubled(text.replaceAll('\\', '\\\\'))}` : doubled(text);
    case 'trino':
      return doubled(text);
  }
}

/** Whether the dialect is one of the two that Spark's parser reads. */
export function isSpark(dialect: Dialect): boolean {
  return dialect === 'spark' || dialect === 'databricks';
}

function doubled(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function nameFault(dialect: Dialect, name: string): string | null {
  if (name === '') return 'it is empty';
  if (name.includes('\0')) return 'it holds NUL';
  if (LONE_SURROGATE.test(name)) return 'it holds half of a surrogate pair';
  if (isSpark(dialect) && name.includes('${'))
    return 'Spark replaces a dollar sign and braces before it reads a statement';
  if (dialect === 'postgres' && Buffer.byteLength(name) > 63) return 'it is cut after 63 bytes';
  return null;
}

function unsafeText(dialect: Dialect, why: string): InputError {
  return new InputError('predicate/unsafe-text', `A text cannot be written in ${dialect}: ${why}`, {
    remedy: 'No column can hold such a text there, so leave it out of the condition',
    data: { dialect },
  });
}
