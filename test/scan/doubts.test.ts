import { expect, test } from 'vitest';
import { Doubts } from '../../src/scan/doubts.ts';
import { type Doubt, type FileResult, unreadResult } from '../../src/scan/file-scan.ts';
import { NO_TABLE } from '../../src/scan/ids/id-search.ts';
import type { ScannedFile } from '../../src/scan/inventory.ts';

const file = (location: string): ScannedFile => ({
  ...{ location, size: 1, group: 'crm.learners', fileTable: NO_TABLE, path: location },
});
const DOUBT: Doubt = {
  file: 'file:/wh/a.parquet',
  column: 'token',
  where: 'lower bound of token',
  shared: false,
};
const manifest: FileResult = { ...unreadResult(), doubts: [DOUBT] };
const found = (where: string): FileResult => ({
  ...unreadResult(),
  matches: [{ kind: 'data', where, shared: false }],
});

/** What the doubt of a manifest comes to, once the parts of its data file came to `parts`. */
function settled(...parts: readonly FileResult[]): readonly FileResult[] {
  const doubts = new Doubts({ normalize: (location) => location.replace(/^file:/, '') });
  doubts.add(manifest, file('/wh/m.avro'));
  for (const part of parts) doubts.add(part, file('/wh/a.parquet'));
  return [...doubts.settle()].map(({ by, result }) => {
    expect(by.location).toBe('/wh/m.avro');
    return result;
  });
}

test('S5: a cut bound of a file that was read whole without the id is of another value', () => {
  expect(settled(unreadResult(), found('column email'))).toEqual([]);
});

test('S5: a cut bound of a file that holds the id is of the id', () => {
  const bound = { kind: 'bound', where: DOUBT.where, shared: false };
  expect(settled(unreadResult(), found('column token'))).toEqual([{ ...unreadResult(), matches: [bound] }]);
});

test.each([
  ['is gone', []],
  ['could not be read whole', [unreadResult(), unreadResult('damaged')]],
])('S5: a cut bound of a file that %s is not proven', (_, parts) => {
  const [result] = settled(...parts);
  expect(result).toMatchObject({ matches: [], unread: [expect.stringContaining(DOUBT.where)] });
});
