import type * as z from 'zod';
import { type Fault, GovernanceError, sortFaults } from '../../governance/fault.ts';
import { namesIn, textsIn } from '../../governance/folder.ts';
import { TomlDocument } from '../../governance/toml/document.ts';
import type { KeyPath } from '../../governance/toml/places.ts';
import { onlyKeys, readValue } from '../../governance/toml/read.ts';
import type { Case } from './case.ts';
import { consentCase, planCase, retentionCase } from './schemas.ts';

/**
 * Reads the policy cases of a folder (`governance/cases/*.toml`), in name order; none where there is no such folder.
 * Throws `GovernanceError` with every fault of every file, and `governance/unreadable`.
 */
export async function loadCases(dir: string): Promise<Case[]> {
  const names = (await namesIn(dir)) ?? [];
  return parseCases(await textsIn(dir, names.filter((name) => name.endsWith('.toml')).sort()));
}

/** Reads policy cases from texts by file name. Throws `GovernanceError` with every fault of every file. */
export function parseCases(files: Readonly<Record<string, string>>): Case[] {
  const faults: Fault[] = [];
  const cases = Object.entries(files).flatMap(([file, text]) => {
    const document = new TomlDocument(file, text);
    const read = readDocument(document);
    faults.push(...document.faults);
    return read;
  });
  if (faults.length > 0) throw new GovernanceError(sortFaults(faults));
  return cases;
}

function readDocument(document: TomlDocument): Case[] {
  onlyKeys(document, [], ['retention', 'consent', 'plan']);
  return [
    ...readList(document, 'retention', retentionCase),
    ...readList(document, 'consent', consentCase),
    ...readList(document, 'plan', planCase),
  ].sort((a, b) => a.at.line - b.at.line);
}

/** What a schema gives: a case without its places, which the document knows. */
type Placed<T> = (placeOf: (path: KeyPath) => Case['at']) => T;

function readList<T extends Case>(
  document: TomlDocument,
  section: string,
  schema: z.ZodType<Placed<T>>,
): T[] {
  const value = document.valueAt([section]);
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    const message = `expected a list of cases: write [[${section}]]`;
    document.fault({ code: 'governance/wrong-type', path: [section], atKey: true, message, candidates: [] });
    return [];
  }
  return value.flatMap((entry: unknown, index) => {
    const path = [section, index];
    const read = readValue(document, path, schema, entry);
    return read === null ? [] : [read((below) => document.placeOf([...path, ...below], 'value'))];
  });
}
