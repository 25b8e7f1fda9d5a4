import { InputError } from '../errors.ts';

/** A column that the rows do not have. */
export function noColumn(column: string, columns: readonly string[]): InputError {
  return new InputError('predicate/no-column', `There is no column ${JSON.stringify(column)}`, {
    remedy: `Columns are: ${columns.join(', ')}`,
    data: { column, columns },
  });
}

/** A constant and a column whose types have no common meaning. The constant is not shown. */
export function typeMismatch(column: string, columnType: string, literalType: string): InputError {
  return new InputError(
    'predicate/type-mismatch',
    `Column ${JSON.stringify(column)} is ${columnType} and cannot be compared with ${literalType}`,
    { remedy: `Give a constant of the column's own type`, data: { column, columnType, literalType } },
  );
}

/** A constant that is not written as its type asks. The constant is not shown. */
export function badLiteral(type: string): InputError {
  return new InputError('predicate/literal', `A constant is not written as ${type}`, {
    remedy: 'See the docstring of Literal for the one text form of each type',
    data: { type },
  });
}

/** Something that a dialect has no way to say. */
export function unsupported(dialect: string, what: string): InputError {
  return new InputError('predicate/unsupported', `${dialect} cannot compare ${what}`, {
    remedy: 'Use another data plane for this table, or another column',
    data: { dialect, what },
  });
}
