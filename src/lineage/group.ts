/** Things by the group that each is in: those of group `g` are `items` from `starts[g]` up to `starts[g + 1]`. */
export interface Groups {
  readonly starts: Int32Array;
  readonly items: Int32Array;
}

/**
 * Groups things by number, in time and space linear in both (a counting sort, which keeps their order). `groupOf` gives the
 * group of each; `order` the order to take them in, by number where it is left out.
 */
export function groupBy(groupOf: Int32Array, groups: number, order?: Int32Array): Groups {
  const starts = new Int32Array(groups + 1);
  for (let item = 0; item < groupOf.length; item++) starts[groupOf[item]! + 1]! += 1;
  for (let group = 0; group < groups; group++) starts[group + 1]! += starts[group]!;
  const next = starts.slice();
  const items = new Int32Array(groupOf.length);
  for (let at = 0; at < groupOf.length; at++) {
    const item = order === undefined ? at : order[at]!;
    items[next[groupOf[item]!]!++] = item;
  }
  return { starts, items };
}
