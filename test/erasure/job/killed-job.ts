// An erasure that kills itself (SIGKILL) at one point: node --import tsx killed-job.ts DIR POINT [ENDPOINT ROOT]
// POINT is before:METHOD:N or after:METHOD:N for the N-th call of a warehouse method, stage:NAME,
// register:STATE before such an entry, remove:PATTERN for the first removal of such a file, lend:PATTERN while such a file is lent to
// a reader of paths, or purge:N after the N-th removal of old versions. With an endpoint, the tables are in S3.
import type { Warehouse } from '../../../src/warehouse/index.ts';
import { storageAt } from '../../support/s3/bucket-of.ts';
import { eraseIn, localPlace, openLake } from './lake.ts';

const [dir, point, endpoint, root] = process.argv.slice(2);
const [moment, name, nth] = point!.split(':');
let calls = 0;
let purges = 0;

const die = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

const place =
  endpoint === undefined
    ? localPlace(dir!)
    : { path: root!, storage: storageAt(endpoint, { roots: [root!], temporary: dir! }) };
const { storage } = place;

const lake = await openLake(dir!, {
  ...place,
  storage: {
    ...storage,
    remove: async (location) => {
      if (moment === 'remove' && new RegExp(name!).test(location)) die();
      return storage.remove(location);
    },
    withLocalFile: async (location, use) =>
      storage.withLocalFile(location, (path) => {
        if (moment === 'lend' && new RegExp(name!).test(location)) die();
        return use(path);
      }),
    versions: (location) => {
      const versions = storage.versions(location);
      if (versions === null) return null;
      return {
        ...versions,
        remove: async (all) => {
          const kept = await versions.remove(all);
          if (moment === 'purge' && ++purges === Number(name)) die();
          return kept;
        },
      };
    },
  },
});

const warehouse = new Proxy(lake.warehouse, {
  get(target, property) {
    const value: unknown = Reflect.get(target, property);
    if (typeof value !== 'function' || property !== name || moment === 'stage') {
      return typeof value === 'function' ? value.bind(target) : value;
    }
    return async (...args: unknown[]) => {
      calls += 1;
      if (moment === 'before' && calls === Number(nth)) die();
      const result: unknown = await value.apply(target, args);
      if (moment === 'after' && calls === Number(nth)) die();
      return result;
    };
  },
}) as Warehouse;

const { register } = lake;
const add = register.add.bind(register);
register.add = async (entries) => {
  if (moment === 'register' && entries[0]?.state === name) die();
  await add(entries);
};
await eraseIn(lake, {
  warehouse,
  register,
  progress: (event) => {
    if (moment === 'stage' && event.kind === 'stage' && event.stage === name) die();
  },
});
