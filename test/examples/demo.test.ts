import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DemoFacts } from '../../examples/demo/facts.ts';
import { screen } from '../../examples/demo/screen.ts';
import { styleFor } from '../../examples/demo/style.ts';
import { makeRows } from '../../examples/platform/data/index.ts';
import { printed, printedCount } from '../support/chapter.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const plain = styleFor({}, {});

/** The demo's whole text for the facts that it gathered. */
function render(facts: DemoFacts): string {
  const show = screen(plain);
  return [
    show.platform(facts.platform),
    show.where(facts.where),
    show.plan(facts.plan),
    show.stagesHeading(),
    ...facts.stages.map(show.stage),
    show.manifests(facts.manifests),
    show.job(facts.job),
    show.reload(facts.reload),
    show.took(facts.took),
  ].join('\n');
}

describe('the demo', () => {
  let facts: DemoFacts;
  let document: string;

  beforeAll(async () => {
    const demo = ['--import', 'tsx', join('examples', 'demo.ts'), '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, demo, { cwd: root, encoding: 'utf8' });
    document = stdout;
    facts = JSON.parse(stdout) as DemoFacts;
  }, 300_000);

  it('finds the learner where the chapter does before anything is done', () => {
    expect(facts.where.files).toBe(printedCount('erasure-refuses-to-start', 'files holding the learner'));
    expect(facts.where.tables).toBe(
      printedCount('erasure-refuses-to-start', 'tables whose files hold the learner'),
    );
    expect(facts.where.kinds).toContainEqual({ kind: 'bound', files: 1, tables: ['crm.learners'] });
  });

  it('shows what each stage leaves', () => {
    const rows = printedCount('verify-erasure', 'rows deleted');
    const files = facts.where.files;
    expect(facts.stages).toEqual([
      { stage: 'before', rowsNow: rows, rowsByTimeTravel: 0, filesHolding: files },
      { stage: 'delete', rowsNow: 0, rowsByTimeTravel: rows, filesHolding: files },
      { stage: 'expire', rowsNow: 0, rowsByTimeTravel: 0, filesHolding: files },
      { stage: 'sweep', rowsNow: 0, rowsByTimeTravel: 0, filesHolding: 0 },
    ]);
  });

  it('shows what the generated properties take out of the manifests, without writing data', () => {
    const columns = printedCount('statistics-off-for-personal-columns', 'columns with statistics turned off');
    // A column that holds a value has a smallest and a largest.
    expect(facts.manifests).toEqual({
      columns,
      boundsBefore: 2 * columns,
      boundsAfter: 0,
      dataFilesWritten: 0,
    });
  });

  it('ends with evidence that holds, and the register that catches the reload', () => {
    expect(facts.job).toMatchObject({
      request: printed('verify-erasure', 'request'),
      tables: printedCount('verify-erasure', 'tables visited'),
      rowsDeleted: printedCount('verify-erasure', 'rows deleted'),
      rowsKept: printedCount('erase-learner', "billing.payments, the learner's rows kept"),
      filesHolding: printedCount('verify-erasure', 'files holding the learner'),
      notProven: 0,
      evidenceHolds: true,
    });
    const back = facts.reload.back.map(({ table, rows }) => [table, String(rows)]);
    expect(back).toEqual(
      ['analytics.learner_activity', 'crm.learners'].map((table) => [
        table,
        printed(
          'erased-learner-returns',
          `the check against the register, rows of erased learners in ${table}`,
        ),
      ]),
    );
    expect(facts.reload.keptOutOfNextLoad).toBe(1);
  });

  it('stays below a gigabyte of memory', () => {
    expect(facts.took.megabytes).toBeLessThan(1_024);
  });

  it('fits one screen, in plain text', () => {
    const lines = render(facts).split('\n');
    expect(lines.length).toBeLessThan(45);
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
    expect(lines.join('')).not.toContain('\u001b');
    expect(lines.join('')).not.toMatch(/undefined|NaN|\[object/);
  });

  it('shows no value of the learner', () => {
    const learner = makeRows({ withdrawn: true }).get('crm.learners')![facts.platform.learner - 1]!;
    for (const column of ['full_name', 'email', 'phone', 'street_address']) {
      const beginning = String(learner[column]).slice(0, 10).toLowerCase();
      expect(`${document}${render(facts)}`.toLowerCase()).not.toContain(beginning);
    }
  });
});

describe('the style of the demo', () => {
  it.each([
    [{ isTTY: true }, {}, '\u001b[1mx\u001b[22m'],
    [{ isTTY: false }, {}, 'x'],
    [{}, {}, 'x'],
    [{ isTTY: true }, { NO_COLOR: '1' }, 'x'],
    [{ isTTY: true }, { NO_COLOR: '' }, '\u001b[1mx\u001b[22m'],
    [{ isTTY: true }, { TERM: 'dumb' }, 'x'],
  ])('on %o with %o', (stream, env, text) => {
    expect(styleFor(stream, env).bold('x')).toBe(text);
  });
});
