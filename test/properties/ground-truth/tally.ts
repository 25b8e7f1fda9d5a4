import type { Fault, Outcome } from './judge.ts';
import type { Kind } from './kinds.ts';
import type { TriedPipeline } from './trial.ts';

/** What became of many pipelines. */
export class Tally {
  pipelines = 0;
  /** Those that were not run to their end. */
  tooLarge = 0;
  /** Those whose job binding refused. */
  refused = 0;
  readonly actions = new Map<Outcome['action'] | 'refused', number>();
  readonly faults = new Map<Fault['kind'], number>();
  /** How many pipelines have something of a kind in them. */
  readonly kinds = new Map<Kind, number>();

  take(tried: TriedPipeline | null): void {
    this.pipelines += 1;
    if (tried === null) {
      this.tooLarge += 1;
      return;
    }
    const { outcomes, faults, refused, kinds } = tried;
    if (refused) this.refused += 1;
    for (const { action } of outcomes)
      add(this.actions, refused && (action === 'delete' || action === 'rebuild') ? 'refused' : action);
    for (const { kind } of faults) add(this.faults, kind);
    for (const kind of kinds) add(this.kinds, kind);
  }

  /**
   * Of the outputs that the person's rows reached, or may have, the part that is left to people: reviews, tables that nobody
   * accounts for, datasets that map to none, and all that binding refused to touch. What nothing of theirs reached is no output of
   * theirs.
   */
  get reviewShare(): number {
    const {
      delete: deleted = 0,
      rebuild = 0,
      review = 0,
      reported = 0,
      unmapped = 0,
      refused = 0,
    } = this.#counts;
    const left = review + reported + unmapped + refused;
    return left / Math.max(1, deleted + rebuild + left);
  }

  get wrongDeletes(): number {
    return (this.faults.get('wrong-delete') ?? 0) + (this.faults.get('mixed-delete') ?? 0);
  }

  get missedCopies(): number {
    return (this.faults.get('missed') ?? 0) + (this.faults.get('left') ?? 0);
  }

  /** The kinds of `expected` that fewer than `least` pipelines have. */
  rare(expected: readonly Kind[], least: number): readonly string[] {
    return expected.flatMap((kind) => {
      const count = this.kinds.get(kind) ?? 0;
      return count < least ? [`${kind}: ${count}`] : [];
    });
  }

  /** One line for people. */
  toString(): string {
    const counts = [...this.actions].sort().map(([action, count]) => `${count} ${action}`);
    const share = `${(100 * this.reviewShare).toFixed(1)} % left to people`;
    const faults = [...this.faults].map(([kind, count]) => `, ${count} ${kind}`).join('');
    const large = this.tooLarge === 0 ? '' : `, ${this.tooLarge} too large to be run`;
    return `${this.pipelines} pipelines${large}: ${counts.join(', ')}; ${share}; ${this.refused} refused at binding${faults}`;
  }

  get #counts(): Partial<Record<Outcome['action'] | 'refused', number>> {
    return Object.fromEntries(this.actions);
  }
}

function add<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
