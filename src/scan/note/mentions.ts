import { isAscii } from 'node:buffer';
import { type Data, DataType, type RecordBatch, type Vector } from 'apache-arrow';
import type { BoundPlan, BoundStep } from '../../erasure/bound-plan.ts';
import { and } from '../../predicate/index.ts';
import { notTrue } from '../../predicate/not-true.ts';
import type { Predicate } from '../../predicate/predicate.ts';
import type { Column, TableDescription, Warehouse } from '../../warehouse/warehouse.ts';
import { TextSearch } from '../text/text-search.ts';
import { Verdict } from '../text/verdict.ts';
import type { TextTrace, Traces } from '../traces.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Rows that the plan does not delete and in which a text column names the person. */
export interface Mention {
  readonly table: string;
  /** Full name; children of lists and maps as `element`, `key` and `value`. */
  readonly column: string;
  readonly rows: number;
}

/** Rows of a table that stay, and the columns of them that keep their values. */
interface Staying {
  readonly where?: Predicate;
  readonly without: readonly string[];
}

/**
 * Counts the rows that would still name the person after the plan was carried out (rule E2): in any text column of any table, at
 * any depth, other than what the plan deletes, clears or builds anew. Traces that another person shares do not count.
 * One streamed pass over the text columns.
 */
export async function mentions({
  bound,
  traces,
  warehouse,
}: {
  readonly bound: BoundPlan;
  readonly traces: Traces;
  readonly warehouse: Pick<Warehouse, 'list' | 'describe' | 'read'>;
}): Promise<readonly Mention[]> {
  const texts = traces.texts.reveal().filter((trace) => !trace.shared);
  const search = new TextSearch(texts);
  if (search.isEmpty) return [];
  const found: Mention[] = [];
  for (const table of await warehouse.list()) {
    const description = await warehouse.describe(table);
    const counts = new Map<string, number>();
    for (const staying of stayingRows(bound.steps.find(({ step }) => step.table === table))) {
      await countRows(description, staying, { warehouse, search, texts, counts });
    }
    for (const [column, rows] of counts) found.push({ table, column, rows });
  }
  return found;
}

function stayingRows(bound: BoundStep | undefined): readonly Staying[] {
  if (bound === undefined) return [{ without: [] }];
  const { step } = bound;
  if (step.action === 'rebuild') return [];
  const where = bound.where.reveal();
  const stays = step.action === 'delete' && where.kind !== 'never' ? [notTrue(where)] : [];
  const clears = (bound.clears ?? bound.where).reveal();
  if (step.clear.length === 0 || clears.kind === 'never') return [{ ...only(stays), without: [] }];
  return [
    { ...only([...stays, clears]), without: step.clear.map(({ column }) => column) },
    { ...only([...stays, notTrue(clears)]), without: [] },
  ];
}

function only(conditions: readonly Predicate[]): Pick<Staying, 'where'> {
  return conditions.length === 0 ? {} : { where: and(...conditions) };
}

interface Counting {
  readonly warehouse: Pick<Warehouse, 'read'>;
  readonly search: TextSearch;
  readonly texts: readonly TextTrace[];
  readonly counts: Map<string, number>;
}

async function countRows(
  description: TableDescription,
  { where, without }: Staying,
  { warehouse, search, texts, counts }: Counting,
): Promise<void> {
  const searched = description.columns.filter(
    (column) => column.type === 'string' && !without.some((name) => isPartOf(column, name)),
  );
  const columns = [...new Set(searched.map(({ path }) => path[0]!))];
  if (columns.length === 0) return;
  const wanted = new Set(searched.map(({ name }) => name));
  const read = { columns, mayHold: texts.map(({ text }) => text), ...(where && { where }) };
  for await (const batch of warehouse.read(description.table, read)) {
    for (const [column, rows] of rowsOf(batch, search)) {
      if (wanted.has(column)) counts.set(column, (counts.get(column) ?? 0) + rows.size);
    }
  }
}

function isPartOf(column: Column, name: string): boolean {
  return column.name === name || column.name.startsWith(`${name}.`);
}

/** The rows of a batch in which each text column names the person. */
function rowsOf(batch: RecordBatch, search: TextSearch): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map<string, Set<number>>();
  const note = (column: string, row: number): void => {
    const rows = found.get(column) ?? new Set<number>();
    found.set(column, rows.add(row));
  };
  for (const field of batch.schema.fields) {
    const vector = batch.getChild(field.name);
    if (vector === null) continue;
    if (DataType.isUtf8(field.type)) flatRows(vector, search, (row) => note(field.name, row));
    else if (isNested(field.type)) {
      for (let row = 0; row < vector.length; row++) {
        for (const { name, text } of nestedTexts(vector.get(row), vector.type as DataType, field.name)) {
          if (names(text, search)) note(name, row);
        }
      }
    } else if (DataType.isDictionary(field.type) || DataType.isLargeUtf8(field.type)) {
      for (let row = 0; row < vector.length; row++) {
        const text: unknown = vector.get(row);
        if (typeof text === 'string' && names(text, search)) note(field.name, row);
      }
    }
  }
  return found;
}

function isNested(type: DataType): boolean {
  return (
    DataType.isStruct(type) || DataType.isList(type) || DataType.isFixedSizeList(type) || DataType.isMap(type)
  );
}

/** Searches all texts of a column as the bytes in which Arrow keeps them, one behind the other. */
function flatRows(vector: Vector, search: TextSearch, onRow: (row: number) => void): void {
  let first = 0;
  for (const data of vector.data as readonly Data[]) {
    const offsets = data.valueOffsets as Int32Array;
    const values = data.values as Uint8Array;
    const [from, to] = [offsets[0]!, offsets[data.length]!];
    const rowAt = (at: number): number => upper(offsets, data.length, at);
    const inside = (at: number, length: number): boolean => {
      const row = rowAt(at);
      if (at + length <= offsets[row + 1]! && data.getValid(row)) onRow(first + row);
      // Never a verdict: all rows are wanted, not the first.
      return false;
    };
    search.exact(values, { from, to, inside }, new Verdict());
    if (search.hasCells || !isAscii(values.subarray(from, to))) {
      for (let row = 0; row < data.length; row++) {
        const bytes = values.subarray(offsets[row]!, offsets[row + 1]!);
        if ((search.hasCells || !isAscii(bytes)) && names(utf8.decode(bytes), search)) onRow(first + row);
      }
    }
    first += data.length;
  }
}

/** The last row that begins at or before a byte. */
function upper(offsets: Int32Array, rows: number, at: number): number {
  let low = 0;
  let high = rows - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (offsets[middle]! <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

function* nestedTexts(
  value: unknown,
  type: DataType,
  name: string,
): Generator<{ readonly name: string; readonly text: string }> {
  if (value === null || value === undefined) return;
  if (typeof value === 'string') {
    yield { name, text: value };
  } else if (DataType.isStruct(type)) {
    for (const child of type.children) {
      yield* nestedTexts((value as Record<string, unknown>)[child.name], child.type, `${name}.${child.name}`);
    }
  } else if (DataType.isMap(type)) {
    const [keys, values] = (type.children[0]!.type as DataType).children;
    for (const [key, item] of value as Iterable<[unknown, unknown]>) {
      yield* nestedTexts(key, keys!.type, `${name}.key`);
      yield* nestedTexts(item, values!.type, `${name}.value`);
    }
  } else if (DataType.isList(type) || DataType.isFixedSizeList(type)) {
    for (const item of value as Iterable<unknown>)
      yield* nestedTexts(item, type.children[0]!.type, `${name}.element`);
  }
}

function names(text: string, search: TextSearch): boolean {
  const verdict = new Verdict();
  search.folded(text, verdict);
  search.cell(new TextEncoder().encode(text), verdict);
  return verdict.any;
}
