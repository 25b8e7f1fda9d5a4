import type { Governance } from '../governance.ts';
import type { TomlDocument } from '../toml/document.ts';
import { onlyKeys } from '../toml/read.ts';
import { readDecisions, readExceptions, readSubjects } from './erasure.ts';
import { readRetentionRules } from './retention-rules.ts';
import { readSettings } from './settings.ts';

/** What `retention.toml` declares. */
export type RetentionFile = Pick<
  Governance,
  'retention' | 'snapshots' | 'files' | 'statistics' | 'subjects' | 'exceptions' | 'decisions'
>;

/** Reads `retention.toml`. `metadataTables` are the tables that `metadata.toml` names. */
export function readRetentionFile(document: TomlDocument, metadataTables: Iterable<string>): RetentionFile {
  onlyKeys(document, [], ['tables', 'snapshots', 'files', 'statistics', 'erasure']);
  onlyKeys(document, ['erasure'], ['subjects', 'exceptions', 'decisions']);
  const retention = readRetentionRules(document);
  const exceptions = readExceptions(document);
  const decisions = readDecisions(document);
  const tables = new Set([...metadataTables, ...retention.keys(), ...exceptions.keys(), ...decisions.keys()]);
  return {
    retention,
    ...readSettings(document),
    subjects: readSubjects(document, tables),
    exceptions,
    decisions,
  };
}
