import type { Governance } from '../governance/governance.ts';
import { Private } from '../values/private.ts';
import type { Instant } from '../values/time.ts';
import { type ConsentRecord, consentsAt } from './consent-at.ts';

/** People who withdrew a consent whose withdrawal is also a ground for erasure. */
export interface ErasureGround {
  readonly purpose: string;
  /** The kind of subject. */
  readonly subject: string;
  /** Their canonical ids, sorted. */
  readonly ids: Private<readonly string[]>;
}

/**
 * The erasures that withdrawals ask for (rule C5): for each purpose with `grounds_for_erasure`, everybody whose consent is
 * withdrawn at the instant. Purposes without anybody are left out. It starts nothing: the request goes the erasure's own way.
 */
export function erasureGrounds(options: {
  readonly governance: Governance;
  readonly records: readonly ConsentRecord[];
  readonly instant: Instant;
}): ErasureGround[] {
  const { governance, records, instant } = options;
  return [...governance.purposes.values()]
    .filter(({ groundsForErasure }) => groundsForErasure)
    .flatMap(({ name, subject }) => {
      const states = consentsAt({ records, purpose: name, instant });
      const ids = [...states].flatMap(([id, state]) => (state === 'withdrawn' ? [id] : [])).sort();
      return ids.length === 0 ? [] : [{ purpose: name, subject, ids: new Private(ids) }];
    });
}
