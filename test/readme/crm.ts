import type { Table } from 'apache-arrow';
import { crmExport } from '../../examples/platform/index.ts';

/** The application's export, for the README's pipeline: it still has everybody. */
export async function learnersFromCrm(): Promise<Table> {
  return crmExport();
}
