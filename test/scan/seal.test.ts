import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { FailedError } from '../../src/errors.ts';
import { makeTraces, openTraces, sealTraces } from '../../src/scan/index.ts';
import { id, long, text } from './support/sought.ts';

const traces = makeTraces({
  subject: 'learner',
  texts: [text('zoë.haase@examp'), text('anna schmidt', { shared: true })],
  ids: [
    id('learner_id', long('9007199254740993')),
    {
      ...id('a', long(1)),
      columns: ['a', 'b'],
      values: [
        [long(1), null],
        [long(2), long(3)],
      ],
      expectedIn: ['x.y'],
    },
  ],
  hashes: [{ hash: '3ade68b1', shared: false }],
});

describe('traces', () => {
  test('E4: go through their private file whole', () => {
    const opened = openTraces(sealTraces(traces));
    expect(opened.subject).toBe('learner');
    expect(opened.texts.reveal()).toEqual(traces.texts.reveal());
    expect(opened.ids.reveal()).toEqual(traces.ids.reveal());
    expect(opened.hashes.reveal()).toEqual(traces.hashes.reveal());
  });

  test('serialise and print as counts', () => {
    expect(JSON.parse(JSON.stringify(traces))).toEqual({ subject: 'learner', ids: 3, texts: 2 });
    for (const shown of [inspect(traces, { depth: 9 }), String(traces), JSON.stringify({ traces })]) {
      expect(shown).not.toMatch(/haase|9007199254740993|schmidt|3ade68b1/);
    }
  });

  test.each([
    ['no JSON', Buffer.from('{"version":1,"subject":"lea')],
    ['another version', Buffer.from('{"version":2}')],
    [
      'another shape',
      Buffer.from('{"version":1,"subject":"learner","texts":["secret"],"ids":[],"hashes":[]}'),
    ],
  ])('a damaged file is refused without showing it: %s', (_, bytes) => {
    expect(() => openTraces(bytes)).toThrow(FailedError);
    expect(() => openTraces(bytes)).toThrow(expect.not.stringContaining('secret'));
  });
});
