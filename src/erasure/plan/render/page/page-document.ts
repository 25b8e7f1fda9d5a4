import type { Lineage, Write } from '../../../../lineage/index.ts';
import { ROLE } from '../../../../lineage/roles.ts';
import { formatTimestamp } from '../../../../values/timestamp.ts';
import type { Plan, Step } from '../../plan.ts';
import { planNotes } from '../notes.ts';
import { passageLabel, type TableGraph, tableGraph } from '../passages.ts';
import { stepText } from '../step-text.ts';
import { visible } from '../visible.ts';
import { CARD, cardHeight } from './card.ts';
import { ColumnList } from './column-list.ts';
import type { PageDocument, PagePassage, PageStep, PageWrite, Picture } from './document.ts';
import { layOut } from './layout.ts';

/** Up to as many passages, their labels are drawn, too. */
const LABELLED = 30;

/** Collects what the page shows of a plan. The same plan and lineage give the same document. */
export function pageDocument(plan: Plan, lineage: Lineage): PageDocument {
  const graph = tableGraph(plan, lineage);
  const list = new ColumnList(plan, lineage, graph);
  const written = writtenEdges(lineage, list);
  const { tables, columns } = list.listed();
  const passages = graph.passages.map((passage): PagePassage => {
    const { from, to, kind } = passage;
    return { from, to, kind, label: visible(passageLabel(passage)) };
  });
  const shown = tables.filter(({ drawn }) => drawn);
  const listedIn = ([first, end]: readonly [number, number]): number =>
    columns.slice(first, end).filter(({ name }) => name !== '*').length;
  const picture = (heights: readonly number[]): Picture =>
    layOut({ heights, lines: passages, labelled: passages.length <= LABELLED });
  return {
    subject: visible(plan.subject),
    digest: plan.digest,
    roles: Object.keys(ROLE),
    tables,
    columns,
    ...written,
    passages,
    steps: plan.steps.map((step) => pageStep(step, graph)),
    notes: planNotes(plan).map(({ title, lines }) => ({ title, lines: lines.map(visible) })),
    pictures: {
      tables: picture(shown.map(() => CARD.head)),
      columns: picture(shown.map((table) => cardHeight(listedIn(table.columns)))),
    },
  };
}

function pageStep(step: Step, { nodes }: TableGraph): PageStep {
  return {
    table: nodes.findIndex(({ table }) => table === step.table),
    action: step.action,
    does: visible(stepText(step)),
    why: visible(step.why),
    reason: step.reason === null ? null : visible(step.reason),
    decidedBy: step.decidedBy === null ? null : visible(step.decidedBy),
    causes: step.causes.map(({ code, what }) => ({ code, what: visible(what) })),
    probes: step.probe.map(({ asks, sql }) => ({
      asks: visible(asks),
      sql: sql.split('\n').map(visible).join('\n'),
    })),
  };
}

/** The edges into drawn tables, each once for a job: by its newest run where several recorded it. */
function writtenEdges({ writes: all }: Lineage, list: ColumnList): Pick<PageDocument, 'writes' | 'edges'> {
  const places = new Map<string, number>();
  const writes: PageWrite[] = [];
  const found = new Map<string, [number, number, number, number]>();
  const newestFirst = [...all].sort((a, b) => (b.lastSeen ?? 0) - (a.lastSeen ?? 0) || order(a, b));
  for (const write of newestFirst) {
    if (!list.isDrawn(write.table)) continue;
    for (const [at, source] of write.edges.from.entries()) {
      const target = write.edges.to[at]!;
      if (source === target) continue;
      const [from, to] = [list.place(source), list.place(target)];
      const key = `${from} ${to} ${write.job}`;
      const known = found.get(key);
      if (known !== undefined) known[2] |= write.edges.roles[at]!;
      else found.set(key, [from, to, write.edges.roles[at]!, placeOf(write)]);
    }
  }
  const edges = [...found.values()].map(
    ([from, to, roles, write]) => [list.final(from), list.final(to), roles, write] as const,
  );
  return { writes, edges: edges.sort((a, b) => a[1] - b[1] || a[0] - b[0] || a[3] - b[3]) };

  function placeOf({ job, lastRun: run, lastSeen }: Write): number {
    const at = lastSeen === null ? null : instant(lastSeen);
    const key = JSON.stringify([job, run, at]);
    const known = places.get(key) ?? places.size;
    if (known === places.size) {
      places.set(key, known);
      writes.push({ job: visible(job), run: run === null ? null : visible(run), at });
    }
    return known;
  }
}

function order(a: Write, b: Write): number {
  const [x, y] = [`${a.table} ${a.job} ${a.lastRun}`, `${b.table} ${b.job} ${b.lastRun}`];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Milliseconds since the epoch in UTC, to the second: `2026-09-01 00:01:00`. */
function instant(milliseconds: number): string {
  return formatTimestamp(BigInt(Math.trunc(milliseconds)) * 1_000_000n)
    .slice(0, 19)
    .replace('T', ' ');
}
