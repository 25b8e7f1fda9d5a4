/** A binary heap of numbers, the least first. */
export class NumberHeap {
  readonly #items: number[] = [];

  push(item: number): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    for (let above = (at - 1) >> 1; at > 0 && items[above]! > item; above = (at - 1) >> 1) {
      items[at] = items[above]!;
      at = above;
    }
    items[at] = item;
  }

  /** Takes the least one out; undefined where there is none. */
  pop(): number | undefined {
    const items = this.#items;
    if (items.length < 2) return items.pop();
    const least = items[0]!;
    const item = items.pop()!;
    let at = 0;
    for (let below = 1; below < items.length; below = 2 * at + 1) {
      if (below + 1 < items.length && items[below + 1]! < items[below]!) below += 1;
      if (items[below]! >= item) break;
      items[at] = items[below]!;
      at = below;
    }
    items[at] = item;
    return least;
  }
}
