import { applyRetention, erasedRows, filterErased, loadGovernance, openIceberg, openRegister } from 'lethe';
import { system } from 'lethe/system';
import { learnersFromCrm } from './crm.ts';

const governance = await loadGovernance('governance');
const warehouse = await openIceberg({ catalog: { kind: 'directory', path: 'warehouse' }, ...system });
const keys = { '2026': process.env.LETHE_REGISTER_KEY! };
const register = await openRegister({ path: 'register.ndjson', keys, current: '2026' });

// Nobody who was erased comes back with the load, whatever the source still holds.
const subject = governance.subjects.get('learner')!;
const { table, dropped } = await filterErased(register, await learnersFromCrm(), { subject });
await warehouse.overwrite('crm.learners', table);
await applyRetention({ warehouse, governance, day: '2026-10-01' });
const { total } = await erasedRows(register, { warehouse, governance });
if (total > 0) throw new Error(`${total} rows of erased people are back; ${dropped} were dropped`);
