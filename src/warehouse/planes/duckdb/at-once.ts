/**
 * Works on items, `limit` of them at the same time, and gives the results in the order of the items. Where one fails, no other is
 * begun, those at work are waited for, and the first failure is thrown.
 */
export async function atOnce<T, R>(
  limit: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results = new Array<R>(items.length);
  const failures: unknown[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length && failures.length === 0) {
      const index = next++;
      try {
        results[index] = await work(items[index]!);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}

/** Deals items out into at most `hands` lists of about the same weight, the heaviest first. */
export function dealt<T>(hands: number, items: readonly T[], weight: (item: T) => bigint): readonly T[][] {
  const lists = Array.from({ length: Math.min(hands, items.length) }, () => ({
    items: [] as T[],
    weight: 0n,
  }));
  const heaviest = items.map((item) => ({ item, weight: weight(item) }));
  heaviest.sort((a, b) => (a.weight > b.weight ? -1 : a.weight < b.weight ? 1 : 0));
  for (const { item, weight: more } of heaviest) {
    const lightest = lists.reduce((least, list) => (list.weight < least.weight ? list : least));
    lightest.items.push(item);
    lightest.weight += more;
  }
  return lists.map((list) => list.items);
}
