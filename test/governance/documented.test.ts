import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseCases, planErasure, runCases } from '../../src/erasure/index.ts';
import { parseGovernance, REFUSALS, REVIEW_CAUSES } from '../../src/governance/index.ts';
import { readLineage } from '../../src/lineage/index.ts';
import { parseJson } from '../../src/values/json.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/governance.md'), 'utf8');

/** The first block of a language under a heading that begins with a name. */
function block(heading: string, language: string): string {
  const section = text.split('\n## ').find((part) => part.startsWith(heading));
  return new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(section ?? '')![1]!;
}

const FILES = ['retention.toml', 'metadata.toml', 'lineage.toml', 'consent.toml'];

test('the files of docs/governance.md are without a fault, and its event leads to the plan that its cases state', async () => {
  const governance = parseGovernance(Object.fromEntries(FILES.map((name) => [name, block(name, 'toml')])));
  const columns = (...names: string[]) => names.map((name) => ({ name }));
  const tables = [
    { table: 'shop.customers', columns: columns('customer_id', 'name', 'email') },
    { table: 'shop.mailing', columns: columns('recipient', 'address') },
  ];
  const lineage = await readLineage({
    from: [[parseJson(block('The events', 'json'))]],
    names: governance.names,
    tables: tables.map(({ table }) => table),
  });
  const results = await runCases({
    governance,
    cases: parseCases({ 'cases.toml': block('cases', 'toml') }),
    plan: (subject) => planErasure({ governance, lineage, tables, subject }),
  });
  expect(results).toHaveLength(3);
  for (const { notRun, failures } of results) expect([notRun, failures]).toEqual([null, []]);
});

test('docs/governance.md says of each code that a decision can answer what it asks, and of no other', () => {
  const section = text.slice(text.indexOf('### What a decision answers'));
  const documented = [...section.slice(0, section.indexOf('\n## ')).matchAll(/^\| `([a-z-]+)`/gm)];
  expect(documented.map(([, code]) => code).sort()).toEqual([...REVIEW_CAUSES, ...REFUSALS].sort());
});
