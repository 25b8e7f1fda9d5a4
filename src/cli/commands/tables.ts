import { describeAll } from '../../warehouse/index.ts';
import type { TableDescription, Warehouse } from '../../warehouse/warehouse.ts';
import { EXIT } from '../exit.ts';
import { count } from '../output/numbers.ts';
import { type Outcome, SCHEMA_VERSION } from '../output/outcome.ts';
import { textTable } from '../output/text-table.ts';
import { type AddCommand, example } from './command.ts';

/** `lethe tables`: what is there, and why an erasure could not change it. */
export const addTables: AddCommand = (program, act) => {
  program
    .command('tables')
    .description('list the tables, their snapshots, and why an erasure could not change them')
    .addHelpText('after', example('lethe tables', 'lethe tables --json'))
    .action(() => act(async (session) => tables(await session.warehouse())));
};

async function tables(warehouse: Warehouse): Promise<Outcome> {
  const described = await describeAll(warehouse);
  return {
    exit: EXIT.done,
    document: { schemaVersion: SCHEMA_VERSION, tables: described.map(documentOf) },
    text: textTable(
      [
        { title: 'table' },
        { title: 'version', align: 'right' },
        { title: 'rows', align: 'right' },
        { title: 'data files', align: 'right' },
        { title: 'delete files', align: 'right' },
        { title: 'snapshots', align: 'right' },
        { title: 'refused because' },
      ],
      described.map((table) => [
        table.table,
        `${table.formatVersion}`,
        count(table.rows),
        count(table.dataFiles),
        count(table.deleteFiles),
        count(table.snapshots.length),
        table.refusals.map((refusal) => refusal.reason).join('; '),
      ]),
    ),
  };
}

const documentOf = (table: TableDescription): object => ({
  table: table.table,
  location: table.location,
  formatVersion: table.formatVersion,
  rows: table.rows,
  dataFiles: table.dataFiles,
  deleteFiles: table.deleteFiles,
  snapshots: table.snapshots.length,
  refs: table.refs.map((ref) => ({ name: ref.name, type: ref.type, snapshotId: String(ref.snapshotId) })),
  refusals: table.refusals,
});
