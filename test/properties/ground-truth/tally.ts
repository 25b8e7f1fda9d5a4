import type { Fault, Judgement, Outcome } from './judge.ts';

/** What became of many pipelines. */
export class Tally {
  pipelines = 0;
  refused = 0;
  readonly actions = new Map<Outcome['action'], number>();
  readonly faults = new Map<Fault['kind'], number>();

  take({ outcomes, faults, refused }: Judgement): void {
    this.pipelines += 1;
    if (refused) this.refused += 1;
    for (const { action } of outcomes) add(this.actions, action);
    for (const { kind } of faults) add(this.faults, kind);
  }

  /** Of the outputs that the plan has a step for, the part that it leaves to people. */
  get reviewShare(): number {
    const { delete: deleted = 0, rebuild = 0, review = 0 } = Object.fromEntries(this.actions);
    return review / Math.max(1, deleted + rebuild + review);
  }

  get wrongDeletes(): number {
    return (this.faults.get('wrong-delete') ?? 0) + (this.faults.get('mixed-delete') ?? 0);
  }

  get missedCopies(): number {
    return (this.faults.get('missed') ?? 0) + (this.faults.get('left') ?? 0);
  }

  /** One line for people. */
  toString(): string {
    const counts = [...this.actions].sort().map(([action, count]) => `${count} ${action}`);
    const share = `${(100 * this.reviewShare).toFixed(1)} % reviews`;
    const faults = [...this.faults].map(([kind, count]) => `, ${count} ${kind}`).join('');
    return `${this.pipelines} pipelines: ${counts.join(', ')}; ${share}; ${this.refused} refused at binding${faults}`;
  }
}

function add<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
