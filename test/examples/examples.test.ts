import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type ChapterExample, chapter, chapterExamples, labels } from '../support/chapter.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const scripts = readdirSync(join(root, 'examples')).filter((name) => /^\d\d-.*\.ts$/.test(name));

/**
 * Where Lethe's facts are other than the chapter's: its own files and fewer traces left behind. `null` stands where the
 * chapter speaks of another tool. Everything that is not listed here must come out as the chapter prints it.
 */
const differences: Partial<Record<ChapterExample, Readonly<Record<string, string | null>>>> = {
  'erase-learner': {
    // The same four, in the order of Lethe's plan (rule L5: name breaks ties).
    'tables one row was deleted from':
      'crm.learners, learning.reviews, ai.review_corpus, analytics.learner_activity',
  },
  'expiry-ignores-table-settings': {
    "gc.enabled=false, snapshots left by PyIceberg's expiry": null,
    "history.expire.min-snapshots-to-keep=3, snapshots left by PyIceberg's expiry": null,
  },
  'sweep-unreferenced-files': {
    // PyIceberg clears a column in two commits, Lethe in one.
    'snapshots expired': '7',
    "files under the plan's tables": '102',
    'files no metadata references': '21',
    'files holding the learner, after expiry': '8',
    'files swept with no minimum age': '21',
    // No deleted entry keeps a bound, so nothing is left for properties to mend.
    'files holding the learner, after the sweep': '0',
    'crm.learners, manifest entry with status 2, email bounds': null,
  },
  'statistics-off-for-personal-columns': {
    'default statistics, files holding learner 4998 after erasure, expiry and sweep': '0',
  },
  'verify-erasure': {
    'ai.review_corpus': '10 files read, 0 holding the learner',
    'analytics.course_performance': '6 files read, 0 holding the learner',
    'analytics.learner_activity': '10 files read, 0 holding the learner',
    'billing.payments': '10 files read, 0 holding the learner',
    'crm.instructors': '7 files read, 0 holding the learner',
    'crm.learners': '10 files read, 0 holding the learner',
    'learning.courses': '7 files read, 0 holding the learner',
    'learning.enrollments': '10 files read, 0 holding the learner',
    'learning.events': '10 files read, 0 holding the learner',
    'learning.reviews': '10 files read, 0 holding the learner',
    'marketing.audience': '7 files read, 0 holding the learner',
    'support.tickets': '7 files read, 0 holding the learner',
    'files read': '104',
  },
  'erased-learner-returns': {
    // Another key, made for each run.
    "the erasure register's entry": null,
  },
};

/** Runs a script as a user does and gives what it printed. */
async function run(script: string): Promise<ReadonlyMap<string, string>> {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', join('examples', script)],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  expect(stderr).toBe('');
  return labels(stdout);
}

/** The chapter's lines with what is known to differ; it writes as Python does, and of its own expiry. */
function expected(example: ChapterExample): ReadonlyMap<string, string> {
  const own = differences[example] ?? {};
  const lines = [...chapter(example)].flatMap(([label, value]): [string, string][] => {
    const chapters = value.replace(/\b(True|False|None)\b/g, (word) => word.toLowerCase());
    const here = own[label] === undefined ? chapters : own[label];
    return here === null ? [] : [[label.replace("the book's expiry", 'expiry'), here]];
  });
  return new Map(lines);
}

describe('the examples', () => {
  it('are one for each of the chapter', () => {
    expect(scripts).toHaveLength(chapterExamples.length);
  });

  it.each(chapterExamples.map((example, index) => [scripts[index]!, example] as const))(
    '%s prints what the chapter prints in %s',
    async (script, example) => {
      const printed = await run(script);
      const wanted = expected(example);
      expect(Object.fromEntries([...printed].filter(([label]) => wanted.has(label)))).toEqual(
        Object.fromEntries(wanted),
      );
    },
    180_000,
  );
});
