import type { LineageEvent } from './read/event.ts';
import { facetOf, textOf } from './read/event.ts';

/**
 * What is known about a producer of events, read in its sources and in events of its own making. Everything here is data:
 * no other file asks which producer wrote an event.
 */
export interface Producer {
  readonly name: string;
  /** Columns come from parsing a SELECT, so they may bear other names than the table's (rule L1g). */
  readonly parsesSelect: boolean;
  /** A facet that covers all columns also names every input that gave values. */
  readonly namesEveryInput: boolean;
  /** An indirect role may hide a direct one for the same pair of columns. */
  readonly hidesDirect: boolean;
  /** A join column whose side loses its unmatched rows is a filter too: this tells an outer join from an inner one. */
  readonly marksDroppedRows: boolean;
  /** A run that committed has output statistics, and a run that failed has none (rule L3). */
  readonly statisticsProveCommit: boolean;
}

const plain = {
  parsesSelect: false,
  namesEveryInput: false,
  hidesDirect: false,
  marksDroppedRows: false,
  statisticsProveCommit: false,
};

const producers: readonly { readonly match: RegExp; readonly producer: Producer }[] = [
  {
    match: /\/integration\/spark\b/,
    producer: {
      ...plain,
      name: 'spark',
      namesEveryInput: true,
      marksDroppedRows: true,
      statisticsProveCommit: true,
    },
  },
  { match: /\/integration\/hive\b/, producer: { ...plain, name: 'hive', namesEveryInput: true } },
  { match: /\bdbt\b/, producer: { ...plain, name: 'dbt', parsesSelect: true } },
  { match: /\bairflow\b/, producer: { ...plain, name: 'airflow', parsesSelect: true } },
  {
    match: /\/integration\/sql\b|openlineage[-_]sql/,
    producer: { ...plain, name: 'sql', parsesSelect: true },
  },
  { match: /\bprestodb\b|\bpresto\b/, producer: { ...plain, name: 'presto', hidesDirect: true } },
];

const unknown: Producer = { ...plain, name: 'unknown' };

/** The producer that a `producer` URI names. */
export function producerOf(uri: string): Producer {
  return producers.find(({ match }) => match.test(uri))?.producer ?? unknown;
}

/** What one statement of an engine does to its output, as far as its event says. */
export interface Statement {
  /** Changes rows in place: a merge, update or delete (rule L1f). */
  readonly rowLevel: boolean;
  /** It takes rows out and changes none. */
  readonly onlyDeletes: boolean;
  /** A second run for a statement whose rows another run wrote; its own facet is the poorer one. */
  readonly wrapper: boolean;
  readonly replaces: 'all' | 'part' | 'unknown';
  /** A run of this kind that committed has output statistics. */
  readonly hasStatistics: boolean;
}

const ROW_LEVEL =
  /^(replace_data|write_delta|merge_into.*|execute_merge_into_command|execute_update_command|execute_delete_command|merge_into_command|update_command|delete_command|update_table|delete_from_table)$/;
const WRAPPER =
  /^(atomic_)?(create|replace|create_or_replace)_table_as_select(_exec)?$|^create_data_source_table_as_select_command$|^create_hive_table_as_select_command$/;
const APPEND = /^(append_data|append_data_exec(_v1)?|streaming_append|insert_into_statement)$/;
const OVERWRITE = /^overwrite_by_expression(_exec(_v1)?)?$/;
const OVERWRITE_PARTITIONS = /^overwrite_partitions_dynamic(_exec)?$/;

const COMMANDS: readonly RegExp[] = [ROW_LEVEL, WRAPPER, APPEND, OVERWRITE, OVERWRITE_PARTITIONS];

/** Reads what a run did from the name of its job, its SQL text, its lifecycle facet and dbt's own. */
export function statementOf(event: LineageEvent, lifecycle: string | null, dbt: string | null): Statement {
  const parts = (event.job?.name ?? '').split('.');
  const command = parts[commandAt(parts)] ?? '';
  const sql = sqlOf(event) ?? '';
  const rowLevel = ROW_LEVEL.test(command) || /^\s*(merge\s+into|update|delete\s+from)\b/i.test(sql);
  const wrapper = WRAPPER.test(command);
  return {
    rowLevel,
    onlyDeletes:
      /^(delete_from_table|execute_delete_command|delete_command)$/.test(command) ||
      /^\s*delete\s+from\b/i.test(sql),
    wrapper,
    replaces: rowLevel ? 'part' : replacesOf({ command, wrapper, sql, lifecycle, dbt }),
    hasStatistics: /^(append_data|overwrite_by_expression|overwrite_partitions_dynamic|replace_data)$/.test(
      command,
    ),
  };
}

/** The application in the name of a statement's job (`app.append_data.table`); null where no statement is named. */
export function applicationOf(jobName: string): string | null {
  const parts = jobName.split('.');
  const at = commandAt(parts);
  return at > 0 ? parts.slice(0, at).join('.') : null;
}

function commandAt(parts: readonly string[]): number {
  return parts.findIndex((part) => COMMANDS.some((command) => command.test(part)));
}

interface Replacing {
  readonly command: string;
  readonly wrapper: boolean;
  readonly sql: string;
  readonly lifecycle: string | null;
  readonly dbt: string | null;
}

function replacesOf({ command, wrapper, sql, lifecycle, dbt }: Replacing): Statement['replaces'] {
  if (dbt !== null) return dbt === 'table' || dbt === 'view' || dbt === 'materialized_view' ? 'all' : 'part';
  if (wrapper) return 'all';
  if (APPEND.test(command) || OVERWRITE_PARTITIONS.test(command)) return 'part';
  // One word stands for full and for partition overwrites; only the statement's text tells a full one (rule L3).
  if (OVERWRITE.test(command)) return sql === '' ? 'unknown' : /\bpartition\s*\(/i.test(sql) ? 'part' : 'all';
  if (/^\s*insert\s+into\b/i.test(sql)) return 'part';
  return lifecycle === 'OVERWRITE' || lifecycle === 'CREATE' ? 'all' : 'unknown';
}

/** The statement's text, from the job's `sql` facet. */
export function sqlOf(event: LineageEvent): string | null {
  return event.job === null ? null : textOf(facetOf(event.job.facets, 'sql'), 'query');
}
