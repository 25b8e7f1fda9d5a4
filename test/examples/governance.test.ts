import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { governanceFolder } from '../../examples/platform/index.ts';
import { pipelines } from '../../examples/platform/pipelines/index.ts';
import { sourceTables } from '../../examples/platform/tables.ts';
import { loadGovernance } from '../../src/governance/index.ts';
import { sharedPath, sharedReason } from '../support/shared.ts';

const governance = await loadGovernance(governanceFolder);
const columnsOf = new Map<string, readonly string[]>([
  ...Object.entries(sourceTables).map(
    ([table, columns]) => [table, columns.map(({ name }) => name)] as const,
  ),
  ...Object.values(pipelines).map(({ table, columns }) => [table, columns.map(({ name }) => name)] as const),
]);
const chapterParts = ['seeds', '004_6f1b07a55b289744.txt'] as const;
const chapterPath = sharedPath(...chapterParts);

describe('the governance of the example platform', () => {
  it.skipIf(chapterPath === null)(
    `holds the TOML of the chapter unchanged${chapterPath === null ? ` (${sharedReason(...chapterParts)})` : ''}`,
    () => {
      const blocks = [...readFileSync(chapterPath!, 'utf8').matchAll(/```toml\n(.*?)```/gs)].map(
        ([, toml]) => toml!,
      );
      const own = readFileSync(join(governanceFolder, 'retention.toml'), 'utf8');
      expect(blocks).toHaveLength(2);
      expect(blocks.filter((block) => !own.includes(block))).toEqual([]);
      expect(own).toContain('Code MIT, copyright Rolling Edition and contributors.');
    },
  );

  it('classifies exactly the columns of the tables that somebody owns', () => {
    for (const [table, { columns, owner, key }] of governance.metadata) {
      expect([...columns.keys()], table).toEqual(columnsOf.get(table));
      expect(owner).toMatch(/ team$/);
      expect(key.filter((name) => !columns.has(name))).toEqual([]);
    }
    const unclassified = [...columnsOf.keys()].filter((table) => !governance.metadata.has(table));
    expect(unclassified.sort()).toEqual(['ai.review_corpus', 'marketing.audience']);
  });

  it('declares the tables that no pipeline makes', () => {
    expect([...governance.names.sources.keys()].sort()).toEqual(Object.keys(sourceTables).sort());
  });
});
