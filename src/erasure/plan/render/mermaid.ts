import type { Lineage } from '../../../lineage/index.ts';
import { ROLE, VALUE } from '../../../lineage/roles.ts';
import { counted } from '../../../values/counted.ts';
import type { Plan, Step } from '../plan.ts';
import { type Passage, type PassageKind, passageLabel, type TableGraph, tableGraph } from './passages.ts';
import { openQuestions, stepText } from './step-text.ts';
import { visible } from './visible.ts';

export interface MermaidOptions {
  /** Draw the columns too: in each table those by which rows are found or cleared, and the copies between them. */
  readonly columns?: boolean;
  /** Draw only these tables and what is next to them. */
  readonly around?: readonly string[];
}

/** Colours that are read on a white page and on a dark one: each node brings its own background. */
const CLASSES: Readonly<Record<Step['action'] | 'passage', string>> = {
  delete: 'fill:#fdecea,stroke:#b3261e,color:#5c120c',
  rebuild: 'fill:#e8f0fd,stroke:#1f5fbf,color:#0d2f63',
  keep: 'fill:#e6f4ea,stroke:#1b7a43,color:#0e3d1a',
  clear: 'fill:#e3f4f7,stroke:#0b7285,color:#063b45',
  review: 'fill:#fff3d6,stroke:#9a5b00,color:#553000,stroke-width:3px',
  ignore: 'fill:#eef0f3,stroke:#5f6771,color:#333333',
  passage: 'fill:#ffffff,stroke:#5f6771,color:#444444,stroke-dasharray:4 3',
};

/** Thick for a key, plain for values, dotted for what only shaped the rows, and a cross where events do not tell. */
const ARROWS: Readonly<Record<PassageKind, string>> = {
  key: '==>',
  values: '-->',
  shape: '-.->',
  unknown: '--x',
};

/** GitHub draws no diagram of more edges, or of more characters, than Mermaid's defaults. */
const MOST = { edges: 500, characters: 50_000 };
/** A label longer than this pushes tables apart. */
const LABEL = 36;

/**
 * A plan as a Mermaid flowchart for a pull request (rule L9): one node for each table with what is done to it, one edge for
 * each passage of data between two of them, named by the key that it copies or by what else it does. A plan that is too large
 * for a pull request's limits is drawn without labels, then with only the tables to be reviewed and their neighbours.
 */
export function planMermaid(plan: Plan, lineage: Lineage, options: MermaidOptions = {}): string {
  const { columns = false, around } = options;
  const graph = tableGraph(plan, lineage);
  const tables = around === undefined ? new Set(graph.nodes.keys()) : neighbours(graph, new Set(around));
  const whole = { plan, lineage, graph, tables, labels: true };
  const smaller = { ...whole, labels: false };
  const forms = [
    ...(columns ? [{ ...whole, columns }] : []),
    whole,
    smaller,
    { ...smaller, tables: neighbours(graph, reviewed(plan)) },
  ];
  const fits = forms
    .map(drawn)
    .find(({ edges, text }) => edges <= MOST.edges && text.length <= MOST.characters);
  return fits?.text ?? summary(plan);
}

interface Form {
  readonly plan: Plan;
  readonly lineage: Lineage;
  readonly graph: TableGraph;
  readonly tables: ReadonlySet<number>;
  readonly labels: boolean;
  readonly columns?: boolean;
}

function drawn(form: Form): { readonly edges: number; readonly text: string } {
  const { plan, graph, tables, labels, columns = false } = form;
  const passages = graph.passages.filter(({ from, to }) => tables.has(from) && tables.has(to));
  const body = columns
    ? columnLines(form)
    : { nodes: graph.nodes.flatMap((_, at) => (tables.has(at) ? [tableNode(form, at)] : [])), edges: [] };
  const copied = columns ? passages.filter(({ kind }) => kind !== 'key') : passages;
  const edges = [...body.edges, ...copied.map((passage) => arrow(passage, labels))];
  const left = graph.nodes.length - tables.size;
  const lines = [
    ...head(plan),
    ...(left === 0 ? [] : [`%% ${left} other tables are left out`]),
    'flowchart LR',
    ...body.nodes,
    ...edges,
    ...usedClasses(form).map((name) => `  classDef ${name} ${CLASSES[name]}`),
  ];
  return { edges: edges.length, text: `${lines.join('\n')}\n` };
}

function head(plan: Plan): readonly string[] {
  const open = openQuestions(plan);
  return open.length === 0 ? [] : [`%% Not ready: ${comment(open.join('; '))}`];
}

function tableNode(form: Form, at: number): string {
  return `  t${at}["${title(form, at)}"]:::${actionOf(form, at)}`;
}

function title({ plan, graph }: Form, at: number): string {
  const { table, step } = graph.nodes[at]!;
  const does = step < 0 ? 'passed through' : stepText(plan.steps[step]!);
  return `<b>${label(table)}</b><br/>${label(does)}`;
}

function actionOf({ plan, graph }: Form, at: number): Step['action'] | 'passage' {
  const { step } = graph.nodes[at]!;
  return step < 0 ? 'passage' : plan.steps[step]!.action;
}

function arrow(passage: Passage, labels: boolean): string {
  const words = labels ? shortened(passageLabel(passage)) : '';
  const named = words === '' ? '' : `|"${label(words)}"|`;
  return `  t${passage.from} ${ARROWS[passage.kind]}${named} t${passage.to}`;
}

/** Each table as a box around its keys and cleared columns; copies of keys go from column to column. */
function columnLines(form: Form): { readonly nodes: readonly string[]; readonly edges: readonly string[] } {
  const { plan, graph, lineage } = form;
  const { columns, writes } = lineage;
  const numbers = new Map<string, number>();
  for (const key of graph.keys)
    numbers.set(JSON.stringify([columns.tableNames[columns.tables[key]!]!, columns.names[key]!]), key);
  const nodes = graph.nodes.flatMap(({ table, step }, at) => {
    if (!form.tables.has(at)) return [];
    const { match = [], clear = [] } = plan.steps[step] ?? {};
    const carried = [...graph.keys].filter((key) => columns.tableNames[columns.tables[key]!] === table);
    const keys = new Set([
      ...match.flatMap((each) => each.columns),
      ...carried.map((key) => columns.names[key]!),
    ]);
    const inside = [
      ...[...keys].map((name, place) => {
        const id = numbers.get(JSON.stringify([table, name]));
        return `    ${id === undefined ? `t${at}k${place}` : `c${id}`}(["${label(name)}"])`;
      }),
      ...clear.map(({ column }, place) => `    t${at}x${place}["${label(column)}: cleared"]`),
    ];
    if (inside.length === 0) return [tableNode(form, at)];
    return [
      // One line: Mermaid draws the columns over a second one. And a style: it forgets the class of some boxes.
      `  subgraph t${at}["<b>${label(table)}</b> ${actionOf(form, at)}"]`,
      ...inside,
      '  end',
      `  style t${at} ${CLASSES[actionOf(form, at)]}`,
    ];
  });
  const places = new Set([...form.tables].map((at) => graph.nodes[at]!.table));
  const edges = new Set<string>();
  for (const { table, edges: written } of writes)
    for (const [at, from] of written.from.entries()) {
      const to = written.to[at]!;
      const source = columns.tableNames[columns.tables[from]!]!;
      const copy =
        (written.roles[at]! & VALUE) === ROLE.identity && graph.keys.has(from) && graph.keys.has(to);
      if (copy && source !== table && places.has(source) && places.has(table))
        edges.add(`  c${from} ==> c${to}`);
    }
  return { nodes, edges: [...edges].sort() };
}

function reviewed({ steps }: Plan): ReadonlySet<string> {
  return new Set(steps.flatMap(({ table, action }) => (action === 'review' ? [table] : [])));
}

/** Some tables, by their places, and those that feed them or are fed by them. */
function neighbours({ nodes, passages }: TableGraph, named: ReadonlySet<string>): ReadonlySet<number> {
  const middle = new Set([...nodes.keys()].filter((at) => named.has(nodes[at]!.table)));
  const near = passages.filter(({ from, to }) => middle.has(from) || middle.has(to));
  return new Set([...middle, ...near.flatMap(({ from, to }) => [from, to])]);
}

/** What is left where even the reviews do not fit: the counts. */
function summary(plan: Plan): string {
  const words = `${counted(plan.steps.length, 'table')}: too many for a diagram, see the page that --html makes`;
  return `${[...head(plan), 'flowchart LR', `  t0["${label(words)}"]`].join('\n')}\n`;
}

function usedClasses(form: Form): readonly (keyof typeof CLASSES)[] {
  const used = new Set([...form.tables].map((at) => actionOf(form, at)));
  return (Object.keys(CLASSES) as (keyof typeof CLASSES)[]).filter((name) => used.has(name));
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= LABEL ? text : `${characters.slice(0, LABEL - 1).join('')}…`;
}

/** Text inside a quoted Mermaid label: everything but plain letters, digits and a few signs as an entity code. */
function label(text: string): string {
  return visible(text).replace(/[^\p{L}\p{N} .,:;_/()-]/gu, (char) => `#${char.codePointAt(0)!};`);
}

/** Text inside a comment, which ends with its line. */
function comment(text: string): string {
  return visible(text).replace(/[{}]/g, ' ');
}
