import type { PlanModel } from './model.ts';

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
  /** The tables that are built from a table, itself left out. */
  feeds(table: number): Iterable<number>;
}

/** Orders tables by what builds what (rule L5); for tables loaded from outside nothing waits. */
export function dependencyOrder(model: PlanModel, fromOutside: (table: number) => boolean): DependencyOrder {
  const feeds = feedsOf(model, (write) => [...model.inputsOf[write]!, ...model.rereadsOf[write]!]);
  return { ...ordered(model, feeds, fromOutside), feeds: (table) => feeds[table]! };
}

/**
 * Orders the tables of `rebuilt` by what the jobs read that build them again. Whatever is done to other tables is done before any
 * job runs: nothing waits for them, so no circle leads through one.
 */
export function rebuildOrder(model: PlanModel, rebuilt: (table: number) => boolean): TableOrder {
  const feeds = feedsOf(model, (write) => model.rereadsOf[write]!);
  const waited = feeds.map((fed, table) => (rebuilt(table) || model.real[table] === null ? fed : NOTHING));
  return ordered(model, waited, () => false);
}

const NOTHING: ReadonlySet<number> = new Set();

/**
 * Tables that build each other stand together: strongly connected components are found first (Tarjan, without recursion), then
 * ordered with the smallest name first among those that are free.
 */
function ordered(
  { tableNames: names }: PlanModel,
  feeds: readonly ReadonlySet<number>[],
  fromOutside: (table: number) => boolean,
): TableOrder {
  const component = componentsOf(feeds);
  const members = new Map<number, number[]>();
  for (const [table, number] of component.entries()) {
    const known = members.get(number);
    if (known === undefined) members.set(number, [table]);
    else known.push(table);
  }
  for (const tables of members.values()) tables.sort((a, b) => (names[a]! < names[b]! ? -1 : 1));
  const places = new Int32Array(names.length);
  let next = 0;
  const waiting = feeds.map((fed, table) => (fromOutside(table) ? NOTHING : fed));
  for (const number of topological(waiting, component, members, names))
    for (const table of members.get(number)!) places[table] = next++;
  const circleOf = (table: number): readonly number[] => members.get(component[table]!)!;
  return {
    place: (table) => places[table]!,
    circle: (table) => places[circleOf(table)[0]!]!,
    inCircle: (table) => circleOf(table).length > 1,
  };
}

/** Table to the tables that are built from it, itself left out; `reads` gives what a write takes in. */
function feedsOf(
  model: PlanModel,
  reads: (write: number) => readonly number[],
): readonly ReadonlySet<number>[] {
  const feeds = model.tableNames.map(() => new Set<number>());
  for (const [table, writes] of model.writesOf.entries())
    for (const write of writes)
      for (const input of reads(write)) if (input !== table) feeds[input]!.add(table);
  return feeds;
}

function componentsOf(feeds: readonly ReadonlySet<number>[]): Int32Array {
  const count = feeds.length;
  const component = new Int32Array(count).fill(-1);
  const order = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const open: number[] = [];
  let visited = 0;
  let found = 0;
  for (let root = 0; root < count; root++) {
    if (order[root]! >= 0) continue;
    const work: { table: number; next: Iterator<number> }[] = [];
    const enter = (table: number): void => {
      order[table] = low[table] = visited++;
      open.push(table);
      work.push({ table, next: feeds[table]!.values() });
    };
    enter(root);
    while (work.length > 0) {
      const { table, next } = work.at(-1)!;
      const step = next.next();
      if (step.done !== true) {
        if (order[step.value]! < 0) enter(step.value);
        else if (component[step.value]! < 0) low[table] = Math.min(low[table]!, order[step.value]!);
        continue;
      }
      work.pop();
      const above = work.at(-1)?.table;
      if (above !== undefined) low[above] = Math.min(low[above]!, low[table]!);
      if (low[table] !== order[table]) continue;
      for (let member = open.pop()!; ; member = open.pop()!) {
        component[member] = found;
        if (member === table) break;
      }
      found++;
    }
  }
  return component;
}

/** Components in order, of those that are free the one with the smallest name first. */
function topological(
  feeds: readonly ReadonlySet<number>[],
  component: Int32Array,
  members: ReadonlyMap<number, readonly number[]>,
  names: readonly string[],
): readonly number[] {
  const waiting = new Map<number, number>([...members.keys()].map((number) => [number, 0]));
  const after = new Map<number, Set<number>>();
  for (const [table, fed] of feeds.entries())
    for (const other of fed) {
      const [from, to] = [component[table]!, component[other]!];
      if (from === to) continue;
      const known = after.get(from) ?? new Set<number>();
      if (!known.has(to)) waiting.set(to, waiting.get(to)! + 1);
      after.set(from, known.add(to));
    }
  const nameOf = (number: number): string => names[members.get(number)![0]!]!;
  const free = new NameHeap(nameOf);
  for (const [number, count] of waiting) if (count === 0) free.push(number);
  const ordered: number[] = [];
  for (let number = free.pop(); number !== undefined; number = free.pop()) {
    ordered.push(number);
    for (const to of after.get(number) ?? []) {
      const left = waiting.get(to)! - 1;
      waiting.set(to, left);
      if (left === 0) free.push(to);
    }
  }
  return ordered;
}

/** A binary heap of components by name. */
class NameHeap {
  readonly #items: number[] = [];
  readonly #nameOf: (number: number) => string;

  constructor(nameOf: (number: number) => string) {
    this.#nameOf = nameOf;
  }

  push(item: number): void {
    const items = this.#items;
    items.push(item);
    for (let at = items.length - 1; at > 0; ) {
      const above = (at - 1) >> 1;
      if (!this.#before(at, above)) break;
      this.#swap(at, above);
      at = above;
    }
  }

  pop(): number | undefined {
    const items = this.#items;
    if (items.length < 2) return items.pop();
    const first = items[0]!;
    items[0] = items.pop()!;
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (left < items.length && this.#before(left, least)) least = left;
      if (right < items.length && this.#before(right, least)) least = right;
      if (least === at) return first;
      this.#swap(at, least);
      at = least;
    }
  }

  #before(a: number, b: number): boolean {
    return this.#nameOf(this.#items[a]!) < this.#nameOf(this.#items[b]!);
  }

  #swap(a: number, b: number): void {
    [this.#items[a], this.#items[b]] = [this.#items[b]!, this.#items[a]!];
  }
}
