import { catalogContract } from '../../contracts/catalog.ts';
import { sqliteFolder } from './sql-under-test.ts';

catalogContract('SQLite', async () => {
  const folder = await sqliteFolder();
  return { catalog: await folder.open(), another: () => folder.open(), close: folder.close };
});
