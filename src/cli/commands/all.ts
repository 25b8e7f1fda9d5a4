import { addApply } from './apply.ts';
import type { AddCommand } from './command.ts';
import { addDue } from './due.ts';
import { addLineage } from './lineage.ts';
import { addProperties } from './properties.ts';
import { addRegister } from './register.ts';
import { addTables } from './tables.ts';

/** Every command, in the order of the help. */
export const COMMANDS: readonly AddCommand[] = [
  addTables,
  addDue,
  addApply,
  addLineage,
  addProperties,
  addRegister,
];
