import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { GovernanceError, sortFaults } from '../../governance/fault.ts';
import { day, tableName, text } from '../../governance/files/pieces.ts';
import { isTable, TomlDocument, type TomlTable } from '../../governance/toml/document.ts';
import { readValue, table } from '../../governance/toml/read.ts';
import type { PolicyCase } from './case.ts';

const rows = z.array(z.custom<TomlTable>(isTable, { message: 'a row is a table: { column = value }' }));

const FILE = table({
  retention: z
    .array(
      table({
        name: text,
        table: tableName,
        day,
        kept_from: day.optional(),
        due: rows.default([]),
        kept: rows.default([]),
      }),
    )
    .default([]),
  consent: z
    .array(table({ name: text, purpose: text, given: rows.default([]), not_given: rows.default([]) }))
    .default([]),
  plan: z
    .array(
      table({
        name: text,
        subject: text,
        steps: z.record(
          z.string(),
          table({
            action: z.enum(['delete', 'keep', 'clear', 'rebuild', 'review', 'ignore']),
            column: text.optional(),
            copy_of: text.optional(),
            clear: z.array(text).optional(),
            job: text.optional(),
          }),
        ),
      }),
    )
    .default([]),
});

/**
 * Reads the policy cases of a folder, in name order of their files; none where there is no folder.
 *
 * @throws GovernanceError with every fault of every file
 */
export async function readCases(folder: string): Promise<readonly PolicyCase[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const cases: PolicyCase[] = [];
  const documents: TomlDocument[] = [];
  for (const name of names.filter((one) => one.endsWith('.toml')).sort()) {
    const document = new TomlDocument(join(folder, name), await readFile(join(folder, name), 'utf8'));
    documents.push(document);
    if (document.faults.length === 0) cases.push(...casesOf(document));
  }
  const faults = documents.flatMap((document) => document.faults);
  if (faults.length > 0) throw new GovernanceError(sortFaults(faults));
  return cases;
}

function casesOf(document: TomlDocument): readonly PolicyCase[] {
  const written = readValue(document, [], FILE, document.values);
  if (written === null) return [];
  const at = (section: string, index: number) => document.placeOf([section, index]);
  return [
    ...written.retention.map(
      ({ kept_from: keptFrom = null, ...one }, index): PolicyCase => ({
        kind: 'retention',
        at: at('retention', index),
        keptFrom,
        ...one,
      }),
    ),
    ...written.consent.map(
      ({ not_given: notGiven, ...one }, index): PolicyCase => ({
        kind: 'consent',
        at: at('consent', index),
        notGiven,
        ...one,
      }),
    ),
    ...written.plan.map(
      ({ steps, ...one }, index): PolicyCase => ({
        kind: 'plan',
        at: at('plan', index),
        steps: new Map(
          Object.entries(steps).map(([name, { copy_of: copyOf, ...step }]) => [name, { ...step, copyOf }]),
        ),
        ...one,
      }),
    ),
  ];
}
