import { expect, test } from 'vitest';
import { NamedFiles } from '../../../src/erasure/job/named-files.ts';
import type { AppendLog } from '../../../src/storage/log/append-log.ts';
import type { Warehouse } from '../../../src/warehouse/warehouse.ts';

test('E4: a file that a table named is written down once, and the next run knows of it', async () => {
  const log = logInMemory();
  const warehouse = { referenced: async () => new Set(['/t/v2', '/t/a']) } as unknown as Warehouse;
  const named = new NamedFiles(log, warehouse);
  await named.remember('t');
  await named.rememberRemoved('t', ['/t/a']);
  expect(log.added).toEqual([{ table: 't', files: ['/t/v2', '/t/a'] }]);

  await named.rememberRemoved('t', ['/t/a', '/elsewhere/b']);
  await named.rememberRemoved('u', ['/t/a']);
  expect(log.added.slice(1)).toEqual([
    { table: 't', files: ['/elsewhere/b'] },
    { table: 'u', files: ['/t/a'] },
  ]);

  const again = new NamedFiles(log, warehouse);
  await again.remember('t');
  expect(log.added).toHaveLength(3);
  expect(await again.of('t')).toEqual(new Set(['/t/v2', '/t/a', '/elsewhere/b']));
  expect(await again.of('u')).toEqual(new Set(['/t/a']));
});

function logInMemory(): AppendLog & { readonly added: unknown[] } {
  const lines: string[] = [];
  const added: unknown[] = [];
  const there = () => lines.map((text, index) => ({ text, line: index + 1, torn: false }));
  return {
    name: 'named',
    added,
    read: async () => there(),
    add: async (compose) => {
      const more = compose(there());
      lines.push(...more);
      added.push(...more.map((line) => JSON.parse(line) as unknown));
    },
  };
}
