import { formatCount } from '../platform/format.ts';
import type {
  DemoFacts,
  JobFacts,
  ManifestFacts,
  PlanFacts,
  PlatformFacts,
  ReloadFacts,
  StageFacts,
  WhereFacts,
} from './facts.ts';
import type { Style } from './style.ts';

/** Turns facts into the lines of the demo; `style` decides about colour and nothing else. */
export function screen(style: Style): {
  readonly platform: (facts: PlatformFacts) => string;
  readonly where: (facts: WhereFacts) => string;
  readonly plan: (facts: readonly PlanFacts[]) => string;
  readonly stagesHeading: () => string;
  readonly stage: (facts: StageFacts) => string;
  readonly manifests: (facts: ManifestFacts) => string;
  readonly job: (facts: JobFacts) => string;
  readonly reload: (facts: ReloadFacts) => string;
  readonly took: (facts: DemoFacts['took']) => string;
} {
  const section = (title: string, ...lines: readonly string[]): string =>
    ['', style.bold(title), ...lines.map((line) => `  ${line}`)].join('\n');
  const verdict = (count: number, text: string): string => (count === 0 ? style.good(text) : style.bad(text));

  return {
    platform: ({ tables, rows, pipelines, learner }) =>
      [
        style.bold('One learner, erased from every copy, and shown to be gone'),
        `  ${tables} Iceberg tables, ${formatCount(rows)} rows, ${pipelines} pipelines. Learner ${learner} asks to be erased.`,
      ].join('\n'),
    where: ({ files, tables, kinds }) =>
      section(
        `Where they are: ${files} files in ${tables} tables`,
        ...kinds.map(({ kind, files: of, tables: names }) =>
          row([kindWords[kind] ?? kind, 36], [String(of), -3], [`  ${style.dim(shortList(names))}`, 0]),
        ),
      ),
    plan: (steps) => section(`The plan, from lineage: ${steps.length} tables`, ...planLines(steps, style)),
    stagesHeading: () =>
      section(
        'What each stage leaves of them',
        style.dim(row(['', 36], ['rows now', -9], ['by time travel', -17], ['files holding them', -21])),
      ),
    stage: ({ stage, rowsNow, rowsByTimeTravel, filesHolding }) =>
      `  ${row([stageWords[stage], 36], [String(rowsNow), -9], [String(rowsByTimeTravel), -17], [String(filesHolding), -21])}` +
      `  ${verdict(filesHolding, filesHolding === 0 ? 'gone' : '▇'.repeat(filesHolding))}`,
    manifests: ({ columns, boundsBefore, boundsAfter, dataFilesWritten }) =>
      section(
        'What the manifests still say of others',
        `${boundsBefore} smallest and largest values of people, in ${columns} columns that should show none.`,
        verdict(
          boundsAfter,
          `${boundsAfter} after the generated properties were applied; ${dataFilesWritten} data files written.`,
        ),
      ),
    job: (facts) =>
      section(
        'The whole job in one call, on the same platform made anew',
        `${facts.rowsDeleted} rows deleted, ${facts.tables} tables visited; ${facts.rowsKept} payments kept by an exception, without card numbers.`,
        verdict(
          facts.filesHolding + facts.notProven,
          `${facts.filesRead} files read afterwards: ${facts.filesHolding} hold the learner, ${facts.notProven} could not be read.`,
        ),
        `Evidence for ${facts.request}: sha256 ${facts.digest.slice(0, 16)}…, ${facts.evidenceHolds ? 'checked, and it names nobody' : 'which does not check'}.`,
      ),
    reload: ({ back, keptOutOfNextLoad }) =>
      section(
        'The next night, an export that nobody erased brings them back',
        style.bad(
          `The register catches it: ${back.map(({ table, rows }) => `${rows} row in ${table}`).join(', ')}.`,
        ),
        style.good(`Passed through the register, the same load keeps ${keptOutOfNextLoad} row out.`),
      ),
    took: ({ seconds, megabytes }) =>
      `\n${style.dim(`${seconds} s, ${megabytes} MB. Try the commands by hand: npm run platform -- DIR`)}`,
  };
}

const kindWords: Readonly<Record<string, string>> = {
  data: 'rows in data files',
  footer: 'statistics in a data file’s footer',
  bound: 'a column’s bounds in a manifest',
};

const stageWords: Readonly<Record<StageFacts['stage'], string>> = {
  before: 'before anything',
  delete: 'after the deletes',
  expire: 'after expiry, its files left behind',
  sweep: 'after the sweep',
};

function planLines(steps: readonly PlanFacts[], style: Style): readonly string[] {
  const line = (
    what: string,
    chosen: readonly PlanFacts[],
    name = (step: PlanFacts): string => step.table,
  ): string[] => (chosen.length === 0 ? [] : [...wrap(what, chosen.map(name), style)]);
  const deletes = steps.filter(({ action }) => action === 'delete');
  return [
    ...line(
      'delete by learner_id',
      deletes.filter(({ copyOf }) => copyOf === null),
    ),
    ...line(
      'delete by a copied id',
      deletes.filter(({ copyOf }) => copyOf !== null),
      (step) => `${step.table} (${step.column})`,
    ),
    ...line(
      'build again',
      steps.filter(({ action }) => action === 'rebuild'),
    ),
    ...line(
      'keep, and clear a column',
      steps.filter(({ action }) => action === 'keep'),
      (step) => `${step.table} (${step.cleared.join(', ')}), says the ${step.decidedBy}`,
    ),
  ];
}

/** A label and names, over several lines where they do not fit 100 columns. */
function* wrap(label: string, names: readonly string[], style: Style): Generator<string> {
  let head = label;
  let line = '';
  for (const [index, name] of names.entries()) {
    const piece = index === names.length - 1 ? name : `${name}, `;
    if (line !== '' && line.length + piece.length > 70) {
      yield `${head.padEnd(27)}${style.dim(line.trimEnd())}`;
      [head, line] = ['', ''];
    }
    line += piece;
  }
  yield `${head.padEnd(27)}${style.dim(line)}`;
}

/** Cells side by side: a positive width fills to the right, a negative one to the left. */
function row(...cells: readonly (readonly [string, number])[]): string {
  return cells
    .map(([text, width]) => (width < 0 ? text.padStart(-width) : text.padEnd(width)))
    .join('')
    .trimEnd();
}

function shortList(names: readonly string[]): string {
  return names.length <= 2
    ? names.join(', ')
    : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
}
