import { RefusedError } from '../../errors.ts';
import { applyRetention, expireByAge } from '../../retention/index.ts';
import { EXIT } from '../exit.ts';
import { count, counted } from '../output/numbers.ts';
import type { Outcome } from '../output/outcome.ts';
import { printableLines } from '../output/printable.ts';
import { fittingGovernance } from '../planning.ts';
import type { Session } from '../session.ts';
import { system } from '../system.ts';
import { type AddCommand, example } from './command.ts';
import { dueText } from './due.ts';

interface Options {
  readonly day: string;
  readonly expire?: boolean;
}

/** What became of one table's old snapshots. */
interface ExpiredTable {
  readonly table: string;
  readonly snapshots: readonly string[];
  readonly filesDeleted: number;
  /** Why nothing was expired. */
  readonly refused: string | null;
}

/** `lethe apply`: deletes what is due on a day (rule R5), and with `--expire` the snapshots that still hold it (rule R9). */
export const addApply: AddCommand = (program, act) => {
  program
    .command('apply')
    .description('delete the rows that the retention rules no longer keep on a day')
    .requiredOption('--day <day>', 'the day of the work, 2026-10-01')
    .option('--expire', "expire old snapshots afterwards, by each table's own settings")
    .addHelpText('after', example('lethe apply --day 2026-10-01', 'lethe apply --day 2026-10-01 --expire'))
    .action((options: Options) => act((session) => apply(session, options)));
};

async function apply(session: Session, { day, expire }: Options): Promise<Outcome> {
  const [warehouse, governance] = [await session.warehouse(), await fittingGovernance(session, day)];
  const document = await applyRetention({ warehouse, governance, day });
  const expired = expire ? await expireTables(session, [...governance.retention.keys()]) : null;
  const refused = (expired ?? []).filter((one) => one.refused !== null);
  return {
    exit: refused.length > 0 ? EXIT.finding : EXIT.done,
    document: expired === null ? { ...document } : { ...document, expired },
    text:
      dueText(document.tables, [{ title: 'deleted', of: ({ deleted }) => count(deleted) }]) +
      printableLines(
        (expired ?? []).map(({ table, snapshots, filesDeleted, refused: why }) =>
          why === null
            ? `${table}: ${counted(snapshots.length, 'snapshot')} expired, ${counted(filesDeleted, 'file')} deleted`
            : `${table}: nothing expired, ${why}`,
        ),
      ),
  };
}

async function expireTables(session: Session, tables: readonly string[]): Promise<readonly ExpiredTable[]> {
  const warehouse = await session.warehouse();
  const expired: ExpiredTable[] = [];
  for (const table of [...tables].sort()) {
    try {
      const { snapshots, filesDeleted } = await expireByAge({
        warehouse,
        table,
        instant: system.clock.now(),
      });
      expired.push({
        table,
        snapshots: snapshots.map(String),
        filesDeleted: filesDeleted.length,
        refused: null,
      });
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      expired.push({ table, snapshots: [], filesDeleted: 0, refused: error.message });
    }
  }
  return expired;
}
