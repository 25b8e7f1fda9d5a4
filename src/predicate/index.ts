export { always, and, beforeDay, compare, equals, isNull, never, not, oneOf, or } from './build.ts';
export { columnsOf } from './columns-of.ts';
export { type CompileColumn, type CompileOptions, compileSql } from './compile-sql.ts';
export { evaluate } from './evaluate.ts';
export type { BeforeDay, Comparison, Predicate } from './predicate.ts';
export { type Dialect, quoteName, quotePath, quoteText } from './quote.ts';
export { resolveDays, type TypedColumn } from './resolve-days.ts';
