import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyCheckMessage, personMessage } from '../../src/register/message.ts';

const part = fc.oneof(fc.string(), fc.constantFrom('1:a,', ',', ':', '\0', '5:north,4:3590,', '3590', 'é'));
const id = fc.oneof(fc.tuple(part), fc.tuple(part, part), fc.tuple(part, part, part));

test('G1: two composite ids are never written alike, whatever their parts hold', () => {
  fc.assert(
    fc.property(id, id, (one, other) => {
      fc.pre(one.length > 1 && other.length > 1);
      const same = JSON.stringify(one) === JSON.stringify(other);
      expect(personMessage('learner', one) === personMessage('learner', other)).toBe(same);
    }),
    { seed: 20261001, numRuns: 2000 },
  );
});

test('G1: the message is the domain, the kind of subject and the id, parted by NUL', () => {
  expect(personMessage('learner', ['3590'])).toBe('lethe/register/1\0learner\x003590');
  expect(keyCheckMessage('2026').startsWith('lethe/register/1\0')).toBe(false);
});
