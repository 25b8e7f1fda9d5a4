import type { Plan } from '../../erasure/plan/index.ts';
import { EXIT } from '../exit.ts';
import type { Outcome } from '../output/outcome.ts';
import { planText } from '../output/plan-text.ts';
import { planOf } from '../planning.ts';
import type { Session } from '../session.ts';
import { type AddCommand, example } from './command.ts';

/** `lethe plan`: what an erasure of one kind of person does, table by table (rule L9). */
export const addPlan: AddCommand = (program, act) => {
  program
    .command('plan')
    .description('plan the erasure of one kind of person from lineage; reads no row and names nobody')
    .argument('<subject>', 'the kind of person, as the governance files name it')
    .addHelpText('after', example('lethe plan learner', 'lethe plan learner --json'))
    .action((subject: string) => act((session) => plan(session, subject)));
};

async function plan(session: Session, subject: string): Promise<Outcome> {
  const planned = await planOf(session, subject);
  return {
    exit: stands(planned) ? EXIT.finding : EXIT.done,
    document: { ...planned },
    text: planText(planned),
  };
}

/** Whether something stands that the job would refuse. */
function stands({ steps, unmapped, unaccounted }: Plan): boolean {
  return steps.some(({ action }) => action === 'review') || unmapped.length > 0 || unaccounted.length > 0;
}
