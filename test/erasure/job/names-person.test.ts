import { expect, test } from 'vitest';
import { namesPerson } from '../../../src/erasure/job/names-person.ts';
import { makeTraces } from '../../../src/scan/index.ts';

const traces = makeTraces({
  subject: 'learner',
  texts: [{ text: 'ada.lovelace@po', wholeCell: false, shared: false }],
  ids: [],
  hashes: [],
});

test.each([
  ['erase-ada.lovelace-post', ['7']],
  ['gdpr/R003590b', ['3590']],
  ['e-550E8400-E29B-41D4-A716-446655440000', ['550e8400-e29b-41d4-a716-446655440000']],
  ['e_550e8400e29b41d4a716446655440000', ['550e8400-e29b-41d4-a716-446655440000']],
  ['erase-learner.A-17#2026', ['learner/a-17']],
  ['case-ada1', ['ada1']],
])('E3: %s names the person', (name, id) => {
  expect(namesPerson(name, traces, [['x'], id])).toBe(true);
});

test.each([
  ['erasure-0001', ['1']],
  ['erasure-35901', ['3590']],
  ['adaptation-7', ['ada1']],
  ['erasure-2026-10', ['a']],
])('E3: %s does not', (name, id) => {
  expect(namesPerson(name, traces, [id])).toBe(false);
});
