import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEvent } from '../../../src/lineage/read/event.ts';

/** A value that a field may have, or one that it may not. */
interface Field {
  readonly value: unknown;
  readonly right: boolean;
}

const right = (...values: readonly unknown[]): fc.Arbitrary<Field> =>
  fc.constantFrom(...values).map((value) => ({ value, right: true }));
const wrong = (...values: readonly unknown[]): fc.Arbitrary<Field> =>
  fc.constantFrom(...values).map((value) => ({ value, right: false }));
/** Wrong now and then, so that an event has few faults and often none. */
const field = (good: fc.Arbitrary<Field>, bad: fc.Arbitrary<Field>): fc.Arbitrary<Field> =>
  fc.oneof({ weight: 15, arbitrary: good }, { weight: 1, arbitrary: bad });

const text = field(right('x', '', null, undefined), wrong(7, true, {}, ['x']));
const name = field(right('t', ''), wrong(null, undefined, 7, {}));
const facets = field(right({}, { schema: 7 }, null, undefined), wrong('x', 7, []));
const list = field(right([], null, undefined), wrong({}, 'x', 7));
const object = (fields: Record<string, fc.Arbitrary<Field>>): fc.Arbitrary<Field> =>
  fc.record(fields).map((all) => ({
    value: Object.fromEntries(Object.entries(all).map(([key, { value }]) => [key, value])),
    right: Object.values(all).every((each) => each.right),
  }));
const optional = (all: fc.Arbitrary<Field>): fc.Arbitrary<Field> =>
  fc.oneof(all, field(right(null, undefined), wrong('x', 7, [])));

function faultsOf(value: unknown): readonly string[] {
  const faults: string[] = [];
  readEvent(value, (why) => void faults.push(why));
  return faults;
}

test('an event of which any field has a wrong shape is none, and the fault says which', () => {
  const event = object({
    eventTime: text,
    eventType: text,
    producer: text,
    run: optional(object({ runId: text, facets })),
    job: optional(object({ namespace: text, name: text, facets })),
    inputs: list,
    outputs: list,
    dataset: right({ namespace: 'n', name: 'd' }),
  });
  fc.assert(
    fc.property(event, (given) => {
      const faults = faultsOf(given.value).filter((fault) => fault.startsWith('no OpenLineage event'));
      expect(faults).toHaveLength(given.right ? 0 : 1);
      for (const fault of faults) expect(fault).toMatch(/: [\w.]+: expected \w+/);
    }),
    { seed: 205, numRuns: 1000 },
  );
});

test('a dataset of which any field has a wrong shape is left out, and the fault says which', () => {
  const dataset = object({ namespace: text, name, facets, outputFacets: facets });
  fc.assert(
    fc.property(fc.array(dataset, { maxLength: 4 }), (given) => {
      const value = { job: { namespace: 'n', name: 'j' }, outputs: given.map((each) => each.value) };
      const read = readEvent(value, () => undefined);
      expect(read?.outputs).toHaveLength(given.filter((each) => each.right).length);
      const faults = faultsOf(value).filter((fault) => fault.includes('is no dataset'));
      expect(faults).toHaveLength(given.filter((each) => !each.right).length);
      for (const fault of faults) expect(fault).toMatch(/^outputs\[\d\] is no dataset: \w+: expected \w+/);
    }),
    { seed: 206, numRuns: 500 },
  );
});
