import type { DemoFacts, StageFacts } from './demo/facts.ts';
import { jobFacts, reloadFacts } from './demo/job.ts';
import { screen } from './demo/screen.ts';
import { manifestFacts, planFacts, platformFacts, stageFacts, subjectOn, whereFacts } from './demo/stages.ts';
import { styleFor } from './demo/style.ts';
import { exampleRegister } from './erasure.ts';
import { examplePlatform } from './notebook.ts';

// `npm run demo`: one learner, erased from every copy, on one screen; with `-- --json` the same facts as one document.

const LEARNER = 3590;
const json = process.argv.includes('--json');
const show = screen(styleFor(process.stdout, process.env));
const print = (text: string): void => {
  if (!json) process.stdout.write(`${text}\n`);
};
// A reader that has seen enough (`npm run demo | head`) ends the demo.
process.stdout.on('error', () => process.exit(0));
const begun = performance.now();

// %% A platform, and where the learner is on it
const platform = await examplePlatform();
const subject = await subjectOn(platform, LEARNER);
const about = await platformFacts(platform, LEARNER);
print(show.platform(about));
const where = await whereFacts(subject);
print(show.where(where));

// %% The plan
const plan = planFacts(subject);
print(show.plan(plan));

// %% The stages, one at a time
const stages: StageFacts[] = [];
print(show.stagesHeading());
for await (const stage of stageFacts(subject)) {
  stages.push(stage);
  print(show.stage(stage));
}

// %% Everybody else's values in the manifests
const manifests = await manifestFacts(platform);
print(show.manifests(manifests));
await platform.close();

// %% The whole job at once, on a platform as it was, and the night after it
const again = await examplePlatform();
const register = await exampleRegister(again);
const job = await jobFacts(again, LEARNER, register);
print(show.job(job));
const reload = await reloadFacts(again, register);
print(show.reload(reload));
await again.close();

const took = {
  seconds: Math.round((performance.now() - begun) / 1_000),
  megabytes: Math.round(process.resourceUsage().maxRSS / 1_024),
};
print(show.took(took));
if (json) {
  const facts: DemoFacts = {
    schemaVersion: 1,
    platform: about,
    where,
    plan,
    stages,
    manifests,
    job,
    reload,
    took,
  };
  process.stdout.write(`${JSON.stringify(facts, null, 2)}\n`);
}
