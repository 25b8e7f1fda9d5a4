import * as z from 'zod';
import { parseConsentState } from '../../consent/index.ts';
import {
  checkedText,
  columnName,
  day,
  instant,
  literal,
  tableName,
  text,
} from '../../governance/files/pieces.ts';
import { isTable } from '../../governance/toml/document.ts';
import type { KeyPath } from '../../governance/toml/places.ts';
import { table } from '../../governance/toml/read.ts';
import type { Case, CaseRow, ConsentCase, Expected, PlanCase, RetentionCase } from './case.ts';

type PlaceOf = (path: KeyPath) => Case['at'];

const ACTIONS = ['delete', 'keep', 'clear', 'rebuild', 'review', 'ignore', 'none'] as const;

/** Column to constant; any text can be a column's name. */
const row = z.unknown().transform((value, context): CaseRow => {
  if (!isTable(value)) {
    context.issues.push({
      code: 'custom',
      message: 'expected a row such as { status = "closed" }',
      input: value,
    });
    return z.NEVER;
  }
  const cells = Object.entries(value).flatMap(([column, cell]) => {
    const read = literal.safeParse(cell);
    if (read.success) return [[column, read.data] as const];
    context.issues.push({
      code: 'custom',
      message: read.error.issues[0]!.message,
      input: cell,
      path: [column],
    });
    return [];
  });
  return new Map(cells);
});

export const retentionCase = table({
  name: text,
  table: tableName,
  day,
  rule: z.int().min(1).optional(),
  kept_from: day.optional(),
  due: z.array(row).default([]),
  kept: z.array(row).default([]),
}).transform(
  (value) =>
    (placeOf: PlaceOf): RetentionCase => ({
      kind: 'retention',
      name: value.name,
      at: placeOf([]),
      table: value.table,
      day: value.day,
      due: each(value.due, 'due', placeOf),
      kept: each(value.kept, 'kept', placeOf),
      ...(value.rule !== undefined && { rule: value.rule }),
      ...(value.kept_from !== undefined && {
        keptFrom: { value: value.kept_from, at: placeOf(['kept_from']) },
      }),
    }),
);

const state = checkedText(parseConsentState);

export const consentCase = table({
  name: text,
  purpose: text,
  instant,
  records: z.array(table({ state, changed_at: instant })),
  state: state.optional(),
  given: z.boolean().optional(),
}).transform(
  (value) =>
    (placeOf: PlaceOf): ConsentCase => ({
      kind: 'consent',
      name: value.name,
      at: placeOf([]),
      purpose: value.purpose,
      instant: value.instant,
      records: value.records.map((record) => ({ state: record.state, changedAt: record.changed_at })),
      ...(value.state !== undefined && { state: { value: value.state, at: placeOf(['state']) } }),
      ...(value.given !== undefined && { given: { value: value.given, at: placeOf(['given']) } }),
    }),
);

const step = table({
  table: tableName,
  action: z.enum(ACTIONS),
  column: columnName.optional(),
  copy_of: text.optional(),
}).transform(({ table: name, action, column, copy_of: copyOf }) => ({
  table: name,
  action,
  ...(column !== undefined && { column }),
  ...(copyOf !== undefined && { copyOf }),
}));

export const planCase = table({ name: text, subject: text, steps: z.array(step).min(1) }).transform(
  (value) =>
    (placeOf: PlaceOf): PlanCase => ({
      kind: 'plan',
      name: value.name,
      at: placeOf([]),
      subject: value.subject,
      steps: each(value.steps, 'steps', placeOf),
    }),
);

function each<T>(values: readonly T[], key: string, placeOf: PlaceOf): Expected<T>[] {
  return values.map((value, index) => ({ value, at: placeOf([key, index]) }));
}
