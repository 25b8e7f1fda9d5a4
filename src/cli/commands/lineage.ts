import { type ColumnRef, datasetNames, type Lineage } from '../../lineage/index.ts';
import { EXIT } from '../exit.ts';
import { namesText } from '../output/names-text.ts';
import { counted } from '../output/numbers.ts';
import { type Outcome, SCHEMA_VERSION } from '../output/outcome.ts';
import { printableLines } from '../output/printable.ts';
import { textTable } from '../output/text-table.ts';
import type { Session } from '../session.ts';
import { type AddCommand, example } from './command.ts';

/** `lethe lineage edges` and `names`: what the events say about columns, and which tables their datasets became. */
export const addLineage: AddCommand = (program, act) => {
  const lineage = program
    .command('lineage')
    .description('show what the OpenLineage events say')
    .addHelpText('after', example('lethe lineage names', 'lethe lineage edges --json'));
  lineage
    .command('edges')
    .description('list the edges from column to column, with their roles')
    .addHelpText('after', example('lethe lineage edges', 'lethe lineage edges --json'))
    .action(() => act(async (session) => edges(await session.lineage())));
  lineage
    .command('names')
    .description('list which table each dataset became, by which rule, and what to look at')
    .addHelpText('after', example('lethe lineage names', 'lethe lineage names --json'))
    .action(() => act(names));
};

async function names(session: Session): Promise<Outcome> {
  const lineage = await session.lineage();
  const tables = (await session.tables()).map(({ table }) => table);
  const report = datasetNames({ lineage, tables, declared: (await session.governance()).names });
  const open = report.findings.length > 0 || report.datasets.some(({ state }) => state === 'unmapped');
  return {
    exit: open ? EXIT.finding : EXIT.done,
    document: { schemaVersion: SCHEMA_VERSION, ...report },
    text: namesText(report),
  };
}

function edges({ edges: live, datasets, events, skipped }: Lineage): Outcome {
  const merged = mergeJobs(live);
  return {
    exit: EXIT.done,
    document: { schemaVersion: SCHEMA_VERSION, datasets, edges: merged, events, skipped },
    text:
      printableLines([
        `${counted(events, 'event')} read, ${counted(merged.length, 'edge')}`,
        ...skipped.map(({ file, line, why }) => `${file}:${line}: skipped, ${why}`),
        ...datasets
          .filter(({ table, by }) => table === null && by !== 'ignored' && by !== 'job')
          .map(({ namespace, name }) => `${namespace} ${name} maps to no table`),
        '',
      ]) +
      textTable(
        [{ title: 'from' }, { title: 'to' }, { title: 'roles' }],
        merged.map(({ from, to, roles }) => [nameOf(from), nameOf(to), roles.join(', ')]),
      ),
  };
}

/** One entry for each pair of columns: the roles of all jobs that recorded it, and their names. */
function mergeJobs(live: Lineage['edges']): readonly {
  readonly from: ColumnRef;
  readonly to: ColumnRef;
  readonly roles: readonly string[];
  readonly jobs: readonly string[];
}[] {
  const pairs = new Map<string, { from: ColumnRef; to: ColumnRef; roles: Set<string>; jobs: Set<string> }>();
  for (const { from, to, roles, job } of live) {
    const key = JSON.stringify([from.table, from.column, to.table, to.column]);
    const pair = pairs.get(key) ?? { from, to, roles: new Set(), jobs: new Set() };
    for (const role of roles) pair.roles.add(role);
    pair.jobs.add(job);
    pairs.set(key, pair);
  }
  return [...pairs.values()].map(({ from, to, roles, jobs }) => ({
    from,
    to,
    roles: [...roles],
    jobs: [...jobs],
  }));
}

const nameOf = ({ table, column }: ColumnRef): string => `${table}.${column}`;
