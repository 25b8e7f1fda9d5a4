import { resolve } from 'node:path';
import {
  describeAll,
  ErasureRefused,
  erase,
  loadGovernance,
  localStorage,
  openIceberg,
  openRegister,
  planErasure,
  planText,
  readLineage,
} from 'lethe';
import { system } from 'lethe/system';

const governance = await loadGovernance('governance');
const warehouse = await openIceberg({ catalog: { kind: 'directory', path: 'warehouse' }, ...system });
const keys = { '2026': process.env.LETHE_REGISTER_KEY! };
const register = await openRegister({ path: 'register.ndjson', keys, current: '2026' });

// The plan is for a kind of person: it reads no row, and can be reviewed before anybody asks.
const tables = await describeAll(warehouse);
const lineage = await readLineage({
  from: [resolve('lineage')],
  storage: localStorage(),
  names: governance.names,
  tables: tables.map(({ table }) => table),
});
const plan = planErasure({ governance, lineage, tables, subject: 'customer' });
console.log(planText(plan));

try {
  const { totals, digest } = await erase({
    warehouse,
    governance,
    register,
    plan,
    subject: 'customer',
    ids: [42],
    request: 'erasure-0001',
    day: '2026-10-01',
    state: '.lethe',
    evidence: 'evidence',
    clock: system.clock,
  });
  console.log(`${totals.rows} rows deleted, ${totals.filesHolding} files still hold them: ${digest}`);
} catch (error) {
  if (!(error instanceof ErasureRefused)) throw error;
  for (const { table, reason, remedy } of error.tables) console.log(`${table}: ${reason}. ${remedy}`);
} finally {
  await warehouse.close();
}
