import { catalogContract } from '../../contracts/catalog.ts';
import type { StubOptions } from '../../support/rest-catalog.ts';
import { restAtHand } from './rest-under-test.ts';

const kinds: readonly [string, Partial<StubOptions>][] = [
  ['REST', {}],
  [
    'REST with pages, a prefix and another separator',
    { pageSize: 1, prefix: 'main%7Clake/c', separator: '%2E' },
  ],
];
for (const [name, options] of kinds) {
  catalogContract(name, async () => {
    const at = await restAtHand(options);
    return { catalog: await at.open(), another: () => at.open(), close: at.close };
  });
}
