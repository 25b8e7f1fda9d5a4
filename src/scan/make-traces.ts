import { Private } from '../values/private.ts';
import type { HashTrace, IdTrace, TextTrace, Traces } from './traces.ts';

/** Puts traces together, so that printing or serialising them shows counts and no value. */
export function makeTraces(content: {
  readonly subject: string;
  readonly texts: readonly TextTrace[];
  readonly ids: readonly IdTrace[];
  readonly hashes?: readonly HashTrace[];
}): Traces {
  const traces: Omit<Traces, 'toJSON'> = {
    subject: content.subject,
    texts: new Private(content.texts),
    ids: new Private(content.ids),
    hashes: new Private(content.hashes ?? []),
  };
  return { ...traces, toJSON: () => ({ subject: content.subject, ...countTraces(traces) }) };
}

/** How many different ids and texts are sought. */
export function countTraces(traces: Pick<Traces, 'ids' | 'texts'>): {
  readonly ids: number;
  readonly texts: number;
} {
  const ids = traces.ids
    .reveal()
    .flatMap(({ columns, values }) =>
      values.map((tuple) => JSON.stringify([columns, tuple.map((part) => part?.value ?? null)])),
    );
  const texts = traces.texts.reveal().map(({ text }) => text);
  return { ids: new Set(ids).size, texts: new Set(texts).size };
}
