import { applyProperties, missingProperties, type PropertyState } from '../../properties/index.ts';
import { EXIT } from '../exit.ts';
import { counted } from '../output/numbers.ts';
import { type Outcome, SCHEMA_VERSION } from '../output/outcome.ts';
import { printableLines } from '../output/printable.ts';
import { textTable } from '../output/text-table.ts';
import { fittingGovernance } from '../planning.ts';
import type { Session } from '../session.ts';
import { type AddCommand, example } from './command.ts';

interface Options {
  readonly apply?: boolean;
}

/** `lethe properties`: which generated properties the tables lack; with `--apply`, gives them (rule P2). */
export const addProperties: AddCommand = (program, act) => {
  program
    .command('properties')
    .description('show the table properties that the classifications ask for, and set what is missing')
    .option(
      '--apply',
      'set them, take values out of earlier manifests, expire and sweep; no data file is rewritten',
    )
    .addHelpText('after', example('lethe properties', 'lethe properties --apply'))
    .action((options: Options) => act((session) => (options.apply ? apply(session) : show(session))));
};

async function show(session: Session): Promise<Outcome> {
  const [warehouse, governance] = [await session.warehouse(), await session.governance()];
  const states = await missingProperties({ warehouse, governance });
  const lacking = [...states.values()].some((state) => Object.keys(state.missing).length > 0);
  return {
    exit: lacking ? EXIT.finding : EXIT.done,
    document: { schemaVersion: SCHEMA_VERSION, tables: Object.fromEntries(states) },
    text: tableOf(states),
  };
}

async function apply(session: Session): Promise<Outcome> {
  const [warehouse, governance] = [await session.warehouse(), await fittingGovernance(session)];
  const applied = await applyProperties({ warehouse, governance });
  const states = await missingProperties({ warehouse, governance });
  const left = applied.flatMap(({ table, left: why }) =>
    why.map(({ code, reason, remedy }) => ({ table, code, reason, remedy })),
  );
  const changed = applied.filter((one) => Object.keys(one.set).length > 0);
  const bounds = applied.reduce((sum, one) => sum + one.boundsDropped, 0);
  return {
    exit: left.length > 0 ? EXIT.finding : EXIT.done,
    document: {
      schemaVersion: SCHEMA_VERSION,
      tables: Object.fromEntries(states),
      applied: applied.map(({ left: _, ...one }) => one),
      left,
    },
    text:
      printableLines([
        `${counted(changed.length, 'table')} changed, ${counted(bounds, 'bound')} taken out of manifests`,
        ...left.map((one) => `${one.table}: older snapshots still hold values: ${one.reason}. ${one.remedy}`),
        '',
      ]) + tableOf(states),
  };
}

function tableOf(states: ReadonlyMap<string, PropertyState>): string {
  const rows = [...states].map(([table, { wanted, missing }]) => [
    table,
    `${Object.keys(wanted).length}`,
    Object.entries(missing)
      .map(([name, value]) => `${name} = ${value}`)
      .join(', ') || 'none',
  ]);
  return textTable([{ title: 'table' }, { title: 'wanted', align: 'right' }, { title: 'missing' }], rows);
}
