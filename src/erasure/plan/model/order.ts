import { type Groups, groupBy } from '../../../lineage/group.ts';
import type { PlanModel } from './model.ts';
import { NumberHeap } from './number-heap.ts';

/** Tables in the order in which they are made. */
export interface TableOrder {
  /** Table to its place: what it is built from comes before it; name breaks ties. */
  place(table: number): number;
  /** The first place of the tables that build each other and this one; its own where there is no other. */
  circle(table: number): number;
  /** Whether it and another table build each other. */
  inCircle(table: number): boolean;
}

export interface DependencyOrder extends TableOrder {
  /** The tables that are built from a table, itself left out; one may be named twice. */
  feeds(table: number): Iterable<number>;
}

/** Orders tables by what builds what (rule L5); for tables loaded from outside nothing waits. */
export function dependencyOrder(model: PlanModel, fromOutside: (table: number) => boolean): DependencyOrder {
  const feeds = feedsOf(model, [model.inputsOf, model.rereadsOf], () => true);
  return {
    ...ordered(model, feeds, (table) => !fromOutside(table)),
    feeds: (table) => feeds.items.subarray(feeds.starts[table], feeds.starts[table + 1]),
  };
}

/**
 * Orders the tables of `rebuilt` by what the jobs read that build them again. Whatever is done to other tables is done before any
 * job runs: nothing waits for them, so no circle leads through one.
 */
export function rebuildOrder(model: PlanModel, rebuilt: (table: number) => boolean): TableOrder {
  const isWaitedFor = (table: number): boolean => rebuilt(table) || model.real[table] === null;
  return ordered(model, feedsOf(model, [model.rereadsOf], isWaitedFor), () => true);
}

/** Table to the tables that are built from it, itself left out. */
function feedsOf(
  model: PlanModel,
  reads: readonly PlanModel['inputsOf'][],
  feeding: (table: number) => boolean,
): Groups {
  const from: number[] = [];
  const to: number[] = [];
  for (const [table, writes] of model.writesOf.entries())
    for (const write of writes)
      for (const inputsOf of reads)
        for (const input of inputsOf[write]!) {
          if (input === table || !feeding(input)) continue;
          from.push(input);
          to.push(table);
        }
  const { starts, items } = groupBy(Int32Array.from(from), model.tableNames.length);
  return { starts, items: items.map((at) => to[at]!) };
}

/**
 * Tables that build each other stand together: strongly connected components are found first, then ordered with the smallest name
 * first among those that are free. `waitedFor` says for which tables those that they feed wait.
 */
function ordered(
  { tableNames }: PlanModel,
  feeds: Groups,
  waitedFor: (table: number) => boolean,
): TableOrder {
  const component = componentsOf(feeds);
  const byName = tablesByName(tableNames);
  const members = groupBy(component, tableNames.length, byName);
  const places = placesOf({ feeds, component, members, byName, waitedFor });
  return {
    place: (table) => places[table]!,
    circle: (table) => places[members.items[members.starts[component[table]!]!]!]!,
    inCircle: (table) => {
      const number = component[table]!;
      return members.starts[number + 1]! - members.starts[number]! > 1;
    },
  };
}

function tablesByName(names: readonly string[]): Int32Array {
  return Int32Array.from(
    [...names.keys()].sort((a, b) => (names[a] === names[b] ? a - b : names[a]! < names[b]! ? -1 : 1)),
  );
}

const NONE = -1;

/** Table to the number of its strongly connected component (Tarjan, without recursion). */
function componentsOf({ starts, items }: Groups): Int32Array {
  const count = starts.length - 1;
  const component = new Int32Array(count).fill(NONE);
  const order = new Int32Array(count).fill(NONE);
  const low = new Int32Array(count);
  /** Where the walk goes on in what a table feeds. */
  const next = starts.slice(0, count);
  const open: number[] = [];
  const path: number[] = [];
  let visited = 0;
  let found = 0;
  for (let root = 0; root < count; root++) {
    if (order[root] === NONE) path.push(root);
    while (path.length > 0) {
      const table = path.at(-1)!;
      if (order[table] === NONE) {
        order[table] = low[table] = visited++;
        open.push(table);
      }
      if (next[table]! < starts[table + 1]!) {
        const fed = items[next[table]!++]!;
        if (order[fed] === NONE) path.push(fed);
        else if (component[fed] === NONE) low[table] = Math.min(low[table]!, order[fed]!);
        continue;
      }
      path.pop();
      const above = path.at(-1);
      if (above !== undefined) low[above] = Math.min(low[above]!, low[table]!);
      if (low[table] !== order[table]) continue;
      for (let member = open.pop()!; ; member = open.pop()!) {
        component[member] = found;
        if (member === table) break;
      }
      found += 1;
    }
  }
  return component;
}

interface Ordering {
  readonly feeds: Groups;
  readonly component: Int32Array;
  /** The tables of each component, by name. */
  readonly members: Groups;
  readonly byName: Int32Array;
  readonly waitedFor: (table: number) => boolean;
}

/** Table to its place. A component is known by the place of its first table among all names. */
function placesOf({ feeds, component, members, byName, waitedFor }: Ordering): Int32Array {
  const count = component.length;
  const rank = new Int32Array(count);
  for (let place = 0; place < count; place++) rank[byName[place]!] = place;
  const first = (number: number): number => rank[members.items[members.starts[number]!]!]!;
  /** Component to the pairs of tables that it still waits for. */
  const waits = new Int32Array(count);
  const eachWaiting = (table: number, visit: (number: number) => void): void => {
    if (!waitedFor(table)) return;
    for (let at = feeds.starts[table]!; at < feeds.starts[table + 1]!; at++) {
      const fed = component[feeds.items[at]!]!;
      if (fed !== component[table]) visit(fed);
    }
  };
  for (let table = 0; table < count; table++)
    eachWaiting(table, (number) => {
      waits[number]! += 1;
    });
  const free = new NumberHeap();
  for (let number = 0; number < count; number++)
    if (members.starts[number]! < members.starts[number + 1]! && waits[number] === 0)
      free.push(first(number));
  const done = (number: number): void => {
    waits[number]! -= 1;
    if (waits[number] === 0) free.push(first(number));
  };
  const places = new Int32Array(count);
  let next = 0;
  for (let least = free.pop(); least !== undefined; least = free.pop()) {
    const number = component[byName[least]!]!;
    const [begin, end] = [members.starts[number]!, members.starts[number + 1]!];
    for (let at = begin; at < end; at++) places[members.items[at]!] = next++;
    for (let at = begin; at < end; at++) eachWaiting(members.items[at]!, done);
  }
  return places;
}
