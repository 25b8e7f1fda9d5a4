import { addApply } from './apply.ts';
import { addCheck } from './check.ts';
import type { AddCommand } from './command.ts';
import { addConsent } from './consent.ts';
import { addDue } from './due.ts';
import { addErase } from './erase.ts';
import { addEvidence } from './evidence.ts';
import { addLineage } from './lineage.ts';
import { addPlan } from './plan.ts';
import { addProperties } from './properties.ts';
import { addRegister } from './register.ts';
import { addScan } from './scan.ts';
import { addTables } from './tables.ts';
import { addTest } from './test.ts';

/** Every command, in the order of the help. */
export const COMMANDS: readonly AddCommand[] = [
  addCheck,
  addTest,
  addTables,
  addDue,
  addApply,
  addConsent,
  addLineage,
  addPlan,
  addErase,
  addScan,
  addProperties,
  addRegister,
  addEvidence,
];
