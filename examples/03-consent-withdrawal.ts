// A learner withdraws their consent: one attribute changes, and the next read sees it. Nothing is deleted. A table that was
// built with the consent filter keeps the learner until its job runs again.

import { consentFilter } from 'lethe';
import { and, equals } from 'lethe/predicate';
import { examplePlatform, say } from './notebook.ts';
import { crmExport } from './platform/index.ts';

const LEARNER = 3590;

// %% The platform before the withdrawal, with last night's audience
const platform = await examplePlatform({
  withdrawn: false,
  only: ['crm.learners', 'learning.enrollments', 'learning.courses'],
});
const { warehouse, governance } = platform;
await platform.run('marketing_audience');

// %% The filter that every reader for marketing gets: only `true` is given, null is not
const filter = consentFilter(governance.purposes.get('marketing_email')!);
const parts = filter.kind === 'and' ? filter.of : [filter];
const shown = parts.map((part) =>
  part.kind === 'compare'
    ? `{"column": "${part.column}", "equals": ${JSON.stringify(part.value.value)}}`
    : part.kind,
);
say("marketing's row filters on crm.learners", `[${shown.join(', ')}]`);

// %% What marketing sees, and what the tables hold
const learner = equals('learner_id', { type: 'long', value: String(LEARNER) });
async function report(when: string): Promise<void> {
  say(`${when}, learners marketing sees`, await warehouse.count('crm.learners', filter));
  const seen = await warehouse.count('crm.learners', and(filter, learner));
  say(`${when}, marketing sees learner ${LEARNER}`, seen === 1);
  say(`${when}, rows stored in crm.learners`, await warehouse.count('crm.learners'));
  say(
    `${when}, learner ${LEARNER}'s rows in marketing.audience`,
    await warehouse.count('marketing.audience', learner),
  );
}
await report('before');

// %% The CRM's sync writes what the learner now says
await warehouse.overwrite('crm.learners', crmExport([LEARNER]), { where: learner });
await report('after the withdrawal');

// %% Only the pipeline's next run takes them out of the copy
await platform.run('marketing_audience');
await report('after the audience is built again');

await platform.close();
