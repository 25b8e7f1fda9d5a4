import { join } from 'node:path';
import { system } from '../../../src/cli/system.ts';
import { bindPlan, planErasure } from '../../../src/erasure/index.ts';
import { type Evidence, erase } from '../../../src/erasure/job/index.ts';
import { type Governance, parseGovernance } from '../../../src/governance/index.ts';
import { readLineage } from '../../../src/lineage/index.ts';
import { openRegister } from '../../../src/register/index.ts';
import { noteTraces, type Traces } from '../../../src/scan/index.ts';
import { s3Storage } from '../../../src/storage/index.ts';
import { openIceberg, type Warehouse } from '../../../src/warehouse/index.ts';
import { service } from '../services/index.ts';
import { PERSON } from './features.ts';
import type { Lake } from './lake.ts';

/** Lethe on a lake. */
export async function letheOn(lake: Lake): Promise<Warehouse> {
  const settings = { catalog: lake.lethe, ...system };
  if (!lake.warehouse.startsWith('s3:')) return openIceberg(settings);
  const { endpoint, region, accessKeyId, secretAccessKey } = await service('s3');
  const storage = s3Storage({
    ...system,
    ...{ endpoint, region, pathStyle: true },
    credentials: { accessKeyId, secretAccessKey },
  });
  return openIceberg({ ...settings, storage });
}

/** Every table is a source of people; a tag or a branch of it may go. */
export function governanceOf(tables: readonly string[], refs: readonly string[] = []): Governance {
  const names = tables.map((table) => `"${table}.email"`);
  const decisions = refs.map(
    (table) => `
[erasure.decisions."${table}"]
answers = ["branch-or-tag"]
action = "delete"
reason = "they keep nothing that is needed"
decided_by = "the lake's team"
refs = { before = "drop", audit = "drop" }
`,
  );
  return parseGovernance({
    'retention.toml': `
[erasure.subjects.customer]
id_type = "long"
id_columns = ["customer"]
identifying = [${names.join(', ')}]
${decisions.join('')}`,
    'lineage.toml': `
[sources]
${tables.map((table) => `"${table}" = "written by another engine, says the lake's team"`).join('\n')}
`,
  });
}

/** What is known of the person before anybody deletes. */
export async function tracesIn(warehouse: Warehouse, table: string): Promise<Traces> {
  const governance = governanceOf([table]);
  const tables = [await warehouse.describe(table)];
  const lineage = await readLineage({ from: [] });
  const plan = planErasure({ governance, lineage, tables, subject: 'customer' });
  const bound = await bindPlan({ plan, ids: [PERSON.customer], warehouse, governance });
  return noteTraces({ bound, governance, warehouse });
}

/** Erases {@link PERSON} from every table of a warehouse by the whole job. */
export async function erasePerson(options: {
  readonly warehouse: Warehouse;
  readonly governance: Governance;
  /** A folder for the job's state, register and evidence. */
  readonly folder: string;
  readonly request?: string;
  /** Files that nothing names go from this age on; all if left out. */
  readonly minAgeMs?: number;
}): Promise<Evidence> {
  const { warehouse, governance, folder, request = 'erasure-0001', minAgeMs = 0 } = options;
  const register = await openRegister({
    path: join(folder, 'register.ndjson'),
    keys: { interop: `hex:${'5a'.repeat(32)}` },
    current: 'interop',
  });
  return erase({
    ...{ warehouse, governance, register, request, minAgeMs, subject: 'customer', ids: [PERSON.customer] },
    lineage: await readLineage({ from: [] }),
    day: '2026-11-30',
    state: join(folder, 'state'),
    evidence: join(folder, 'evidence'),
    clock: system.clock,
  });
}
