import { RefusedError } from '../../errors.ts';
import type { Mention } from '../../scan/index.ts';
import type { Traces } from '../../scan/traces.ts';
import type { StepRefusal } from '../refusal.ts';
import { hiding } from './hide-person.ts';

/**
 * The whole erasure is refused, before the first change (rule E2): every table that stands in the way, with its reason, and `***` for
 * what in it names the person (rule E3): a tag can be called after somebody. It carries the traces in memory, so that the caller can still look for the person; they are never serialised.
 *
 * `code` is `erasure/refused`, and `data.refused` is the same list as {@link tables}.
 */
export class ErasureRefused extends RefusedError {
  readonly tables: readonly StepRefusal[];
  readonly mentions: readonly Mention[];
  readonly traces: Traces;
  /** Whether an earlier run of the job had begun: what that changed stays changed. */
  readonly begun: boolean;

  constructor(
    refusals: readonly StepRefusal[],
    { traces, mentions, begun = false }: { traces: Traces; mentions: readonly Mention[]; begun?: boolean },
  ) {
    const hide = hiding(traces);
    const tables = refusals.map(({ table, code, reason, remedy }) => ({
      table: hide(table),
      code,
      reason: hide(reason),
      remedy: hide(remedy),
    }));
    const named = tables.map(({ table, reason }) => `${table}: ${reason}`).join('; ');
    const so = begun ? 'goes no further for now' : 'is refused, and nothing was changed';
    super('erasure/refused', `The erasure ${so}: ${named}`, {
      remedy: 'Put each in order, or record a decision in the governance files; then start again',
      data: { refused: tables },
    });
    this.tables = tables;
    this.mentions = mentions;
    this.begun = begun;
    this.traces = traces;
    // Not a field that a printer of errors walks into.
    Object.defineProperty(this, 'traces', { enumerable: false });
  }
}
