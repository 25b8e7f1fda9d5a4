/** What was made last, by name, as long as all of it together is no larger than allowed; what was asked for longest ago goes first. */
export class Recent<T> {
  readonly #most: number;
  readonly #kept = new Map<string, { readonly value: T; readonly size: number }>();
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  has(name: string): boolean {
    return this.#kept.has(name);
  }

  get(name: string): T | undefined {
    const kept = this.#kept.get(name);
    if (kept === undefined) return undefined;
    this.#kept.delete(name);
    this.#kept.set(name, kept);
    return kept.value;
  }

  /** Keeps a value of a size, in the unit of what is allowed, unless it alone is too large. */
  keep(name: string, value: T, size: number): void {
    this.#forget(name);
    if (size > this.#most) return;
    this.#kept.set(name, { value, size });
    this.#size += size;
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= this.#most) break;
      this.#forget(oldest);
    }
  }

  #forget(name: string): void {
    const kept = this.#kept.get(name);
    if (this.#kept.delete(name)) this.#size -= kept!.size;
  }
}
