import { RefusedError } from '../../errors.ts';
import type { Mention } from '../../scan/index.ts';
import type { Traces } from '../../scan/traces.ts';
import type { StepRefusal } from '../refusal.ts';

/**
 * The whole erasure is refused, before the first change (rule E2): every table that stands in the way, with its reason. It
 * carries the traces in memory, so that the caller can still look for the person; they are never serialised.
 *
 * `code` is `erasure/refused`, and `data.refused` is the same list as {@link tables}.
 */
export class ErasureRefused extends RefusedError {
  readonly tables: readonly StepRefusal[];
  readonly mentions: readonly Mention[];
  readonly traces: Traces;

  constructor(
    tables: readonly StepRefusal[],
    { traces, mentions }: { traces: Traces; mentions: readonly Mention[] },
  ) {
    const named = tables.map(({ table, reason }) => `${table}: ${reason}`).join('; ');
    super('erasure/refused', `The erasure is refused, and nothing was changed: ${named}`, {
      remedy: 'Put each in order, or record a decision in the governance files; then start again',
      data: { refused: tables },
    });
    this.tables = tables;
    this.mentions = mentions;
    this.traces = traces;
    // Not a field that a printer of errors walks into.
    Object.defineProperty(this, 'traces', { enumerable: false });
  }
}
