import type { Lineage } from '../../../lineage/index.ts';
import type { Plan, Step } from '../plan.ts';
import { openQuestions, stepText } from './step-text.ts';
import { tableGraph } from './table-graph.ts';

const CLASSES: Readonly<Record<Step['action'] | 'passage', string>> = {
  delete: 'fill:#fde2e1,stroke:#b42318,color:#5c120c',
  rebuild: 'fill:#e0ecff,stroke:#1d5fbf,color:#0d2f63',
  keep: 'fill:#e3f4e6,stroke:#1f7a35,color:#0e3d1a',
  clear: 'fill:#e3f4e6,stroke:#1f7a35,color:#0e3d1a',
  review: 'fill:#fff1cc,stroke:#a15c00,color:#553000',
  ignore: 'fill:#eeeeee,stroke:#666666,color:#333333',
  passage: 'fill:#ffffff,stroke:#999999,color:#444444,stroke-dasharray:4 3',
};

/**
 * A plan as a Mermaid flowchart for a pull request (rule L9): one node for each table with what is done to it, one edge for
 * each passage of data between two of them.
 */
export function planMermaid(plan: Plan, lineage: Lineage): string {
  const { nodes, edges } = tableGraph(plan, lineage);
  const open = openQuestions(plan);
  const lines = [
    ...(open.length === 0 ? [] : [`%% Not ready: ${comment(open.join('; '))}`]),
    'flowchart LR',
    ...nodes.map(({ table, step }, at) => {
      const done = step < 0 ? '' : `<br/>${label(stepText(plan.steps[step]!))}`;
      return `  t${at}["<b>${label(table)}</b>${done}"]:::${step < 0 ? 'passage' : plan.steps[step]!.action}`;
    }),
    ...edges.map(({ from, to }) => `  t${from} --> t${to}`),
    ...usedClasses(
      plan,
      nodes.some(({ step }) => step < 0),
    ).map((name) => `  classDef ${name} ${CLASSES[name]}`),
  ];
  return `${lines.join('\n')}\n`;
}

function usedClasses(plan: Plan, passages: boolean): readonly (keyof typeof CLASSES)[] {
  const used = new Set<keyof typeof CLASSES>(plan.steps.map(({ action }) => action));
  if (passages) used.add('passage');
  return (Object.keys(CLASSES) as (keyof typeof CLASSES)[]).filter((name) => used.has(name));
}

/** Text inside a quoted Mermaid label: everything but plain letters, digits and a few signs as an entity code. */
function label(text: string): string {
  return text.replace(/[^\p{L}\p{N} .,:;_/()*-]/gu, (char) => `#${char.codePointAt(0)!};`);
}

/** Text inside a comment, which ends with its line. */
function comment(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029{}]/gu, ' ');
}
