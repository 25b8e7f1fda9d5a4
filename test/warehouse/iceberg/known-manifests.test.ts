import { afterEach, beforeEach, expect, test } from 'vitest';
import { localStorage } from '../../../src/storage/index.ts';
import { KnownFiles } from '../../../src/warehouse/iceberg/read/known-manifests.ts';
import { type Lake, makeLake } from '../../support/lake.ts';

let lake: Lake;
beforeEach(async () => {
  lake = await makeLake();
});
afterEach(() => lake.close());

test('a file is read once by each name, and again where it is not as long as it was', async () => {
  const storage = localStorage();
  const read: string[] = [];
  const known = new KnownFiles<string>(storage);
  const location = `${lake.path}/manifest`;
  const ask = (name: string): Promise<string> =>
    known.of(name, location, (bytes) => {
      read.push(name);
      return new TextDecoder().decode(bytes);
    });
  await storage.writeIfAbsent(location, new TextEncoder().encode('whole'));
  expect([await ask('one'), await ask('one'), await ask('other'), await ask('one')]).toEqual([
    'whole',
    'whole',
    'whole',
    'whole',
  ]);
  expect(read).toEqual(['one', 'other']);
  await storage.replace(location, new TextEncoder().encode('cut'));
  expect(await ask('one')).toBe('cut');
  await storage.remove(location);
  await expect(ask('one')).rejects.toMatchObject({ code: 'storage/not-found' });
});
