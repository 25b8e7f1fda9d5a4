// What checking a load against the register costs beside hashing the same ids with the runtime's own HMAC.
import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Int64, Table, vectorFromArray } from 'apache-arrow';
import { filterErased, openRegister, type Subject } from 'lethe';
import { type Bench, cpuOf, figure } from './bench.ts';

const ROWS = 200_000;
const KEY = 'a key of this bench, thirty-two bytes or more';

const subject: Subject = {
  name: 'learner',
  idType: 'long',
  idColumns: [['learner_id']],
  identifying: [],
  at: { file: 'bench', line: 1, column: 1 },
};

export const bench: Bench = async () => {
  const ids = Array.from({ length: ROWS }, (_, at) => BigInt(at));
  const load = new Table({ learner_id: vectorFromArray(ids, new Int64()) });
  const folder = await mkdtemp(join(tmpdir(), 'lethe-bench-'));
  const register = await openRegister({
    path: join(folder, 'register.ndjson'),
    keys: { 1: KEY },
    current: '1',
  });
  const erased = { request: 'r', subject: 'learner', id: ['-1'], day: '2026-10-01' } as const;
  await register.add([{ ...erased, state: 'open' }]);
  const lethe = await cpuOf(() => filterErased(register, load, { subject }));
  const peer = await cpuOf(() => {
    for (const id of ids) createHmac('sha256', KEY).update(`lethe/register/1\0learner\0${id}`).digest('hex');
  });
  await rm(folder, { recursive: true });
  const what = `check a load of ${ROWS.toLocaleString('en')} distinct ids`;
  return [figure({ what, unit: 'CPU ms', lethe, peer, peerName: 'node:crypto', bound: null })];
};
