// Which tables an erasure reaches and what happens in each. The plan is made from the governance files and the lineage, so
// it is the same for every learner and can be reviewed before anybody asks; binding it to one request finds the rows.

import { bindPlan, mentions, noteTraces } from 'lethe';
import { planFor } from './erasure.ts';
import { examplePlatform, say } from './notebook.ts';

const LEARNER = 3590;

// %% The platform some weeks after the learner's withdrawal
const platform = await examplePlatform();
const { warehouse, governance } = platform;

// %% The plan, and the same for one person
const plan = await planFor(platform, 'learner');
const bound = await bindPlan({ plan, ids: [LEARNER], warehouse, governance });
for (const { step, keys } of bound.steps) {
  const { table, action, column, copyOf, clear, job } = step;
  const values = keys.flatMap((key) => key.values.reveal().map(([value]) => value?.value));
  if (action === 'rebuild') say(table, `run ${job!.replace(/^platform\./, '')} again`);
  else if (action === 'keep')
    say(table, `keep, under an exception, and erase ${clear.map((each) => each.column).join(', ')}`);
  else
    say(
      table,
      `delete where ${column} in [${values.join(', ')}]${copyOf === null ? '' : `, a copy of ${copyOf}`}`,
    );
}

// %% How the tables were found
say('tables in the plan', plan.steps.length);
say(
  'tables found by their learner_id column',
  plan.steps.filter((step) => step.column !== null && step.copyOf === null).length,
);
say(
  'tables found by lineage',
  plan.steps.filter((step) => step.column === null || step.copyOf !== null).length,
);
for (const step of plan.steps.filter(({ action }) => action === 'keep')) {
  say(`the reason recorded for ${step.table}`, step.reason!);
}

// %% What there is to erase. The plan goes by columns, so it names tables that hold nothing of this learner
for (const { step, where } of bound.steps) {
  if (step.table === 'billing.payments' || step.table === 'marketing.audience') {
    say(`the learner's rows in ${step.table}`, await warehouse.count(step.table, where.reveal()));
  }
}

// %% What the scan will look for: the beginnings of the learner's values. Only code that says `reveal` ever sees them, and what
// it sees it must not print. Here it does, because this learner is made up; their phone number is masked all the same
const traces = await noteTraces({ bound, governance, warehouse });
const texts = traces.texts
  .reveal()
  .map(({ text }) => text)
  .sort();
const identifying = texts.filter((text) => !/^\d+$/.test(text));
say("the learner's identifying values, as the scan searches for them", identifying.map(masked).join(', '));
say('values of the columns to be cleared, searched for too', texts.length - identifying.length);

// %% Other people's rows can name the learner too. They refuse the erasure until somebody decides
const named = await mentions({ bound, traces, warehouse });
say(
  "rows the plan doesn't delete whose text names the learner",
  named.reduce((sum, { rows }) => sum + rows, 0),
);

await platform.close();

function masked(text: string): string {
  return text.replace(/^\d{3}-\d{3}-(\d{4}) x\d$/, '•••-•••-$1 x•');
}
