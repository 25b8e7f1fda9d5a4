// One of several processes that write to one register at once: node --import tsx add-many.ts PATH KEY NAME COUNT
import { openRegister } from '../../src/register/index.ts';

const [path, key, name, count] = process.argv.slice(2);
const register = await openRegister({ path: path!, keys: { k: key! }, current: 'k' });
for (let index = 0; index < Number(count); index += 1) {
  await register.add([
    {
      request: `${name}-${index}`,
      subject: 'learner',
      id: [String(index)],
      state: 'open',
      day: '2026-10-01',
    },
  ]);
}
