import type { BoundPlan, BoundStep } from '../../erasure/bound-plan.ts';
import type { Governance, Subject } from '../../governance/governance.ts';
import { idLiteral } from '../../values/id.ts';
import type { Tuple } from '../../warehouse/warehouse.ts';
import type { IdTrace } from '../traces.ts';

/** In the tables of such steps rows of the person stay, so their ids are expected there. */
const STAYING = new Set(['keep', 'clear', 'ignore']);

/**
 * The ids to seek (rule S2): those of the request in every column that is declared to hold them, in any file; and in each
 * table that the plan deletes from the values it deletes by, also in the table out of which a bridge took them. In a table
 * whose rows are kept they are expected.
 */
export function idTraces(bound: BoundPlan, governance: Governance, subject: Subject): readonly IdTrace[] {
  const staying = bound.steps.filter(({ step }) => STAYING.has(step.action)).map(({ step }) => step.table);
  const trace = (table: string | null, columns: readonly string[], values: readonly Tuple[]): IdTrace => ({
    table,
    columns,
    values,
    expectedIn: [...staying, ...(table === null ? ofOthers(governance, subject, columns) : [])],
    shared: false,
  });
  const ids = bound.ids.reveal().map((id) => id.map((part) => idLiteral(subject.idType, part)));
  const declared = declaredColumns(governance, subject).map((columns) =>
    trace(
      null,
      columns,
      ids.filter((id) => id.length === columns.length),
    ),
  );
  const deleted = bound.steps
    .filter(({ step }) => step.action === 'delete')
    .flatMap((step) => keyTraces(step, trace));
  return distinct([...declared, ...deleted].filter(({ values }) => values.length > 0));
}

function keyTraces(
  { step, keys }: BoundStep,
  trace: (table: string, columns: readonly string[], values: readonly Tuple[]) => IdTrace,
): readonly IdTrace[] {
  return keys.flatMap((key, index) => {
    const values = key.values.reveal().filter((tuple) => tuple.every((part) => part !== null));
    const here = trace(step.table, key.columns, values);
    const from = step.match[index]?.values;
    return from?.from === 'rows' ? [here, trace(from.table, from.columns, values)] : [here];
  });
}

function declaredColumns(governance: Governance, subject: Subject): readonly (readonly string[])[] {
  const named = [...governance.metadata.values()].flatMap(({ columns }) =>
    [...columns].filter(([, column]) => column.identifies === subject.name).map(([name]) => [name]),
  );
  return [...subject.idColumns, ...named];
}

/** Tables in which a column of this name identifies another kind of subject. */
function ofOthers(governance: Governance, subject: Subject, columns: readonly string[]): readonly string[] {
  return [...governance.metadata.values()]
    .filter((table) =>
      columns.some((column) => {
        const identifies = table.columns.get(column)?.identifies;
        return identifies !== undefined && identifies !== subject.name;
      }),
    )
    .map(({ table }) => table);
}

function distinct(traces: readonly IdTrace[]): readonly IdTrace[] {
  return [...new Map(traces.map((trace) => [JSON.stringify(trace), trace])).values()];
}
