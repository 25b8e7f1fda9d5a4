import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NO_TABLE } from '../../src/scan/ids/id-search.ts';
import type * as workersModule from '../../src/scan/workers.ts';
import { root, sourcesUnder } from '../architecture/sources.ts';
import { withDuckdb } from './support/duckdb.ts';
import { temporaryFolder } from './support/folder.ts';
import { id, long, scanner, text } from './support/sought.ts';

const folder = temporaryFolder();
const path = join(folder, 'x.parquet');
const SOUGHT = { texts: [text('planted@example')], ids: [id('i', long(24_999))], hashes: [] };

/** The library as JavaScript, as it is published: threads cannot run TypeScript on every version of Node. */
let built: string;
let workers: typeof workersModule;
beforeAll(async () => {
  built = mkdtempSync(join(root, 'node_modules', '.lethe-built-'));
  for (const source of sourcesUnder('src')) {
    const { outputText } = ts.transpileModule(source.text, {
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
        rewriteRelativeImportExtensions: true,
      },
    });
    const code = dying(source.path, outputText);
    const to = join(built, source.path.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, code);
  }
  writeFileSync(join(built, 'package.json'), '{"type":"module"}');
  workers = (await import(join(built, 'src/scan/workers.js'))) as typeof workersModule;
  await withDuckdb((run) =>
    run(
      `COPY (SELECT i, CASE WHEN i = 20000 THEN 'planted@example.org' ELSE 'row ' || i END AS t FROM range(25000) r(i))
       TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`,
    ),
  );
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

/** A thread ends where the path of its file says so: once (the mark is removed), or every time. */
function dying(path: string, code: string): string {
  if (!path.endsWith('scan/file-runner.ts')) return code;
  const before = 'const scan = new FileScan(';
  expect(code).toContain(before);
  return `import { existsSync, rmSync } from 'node:fs';
function die(path) {
  const once = existsSync(path + '.once');
  if (once) rmSync(path + '.once');
  if (once || existsSync(path + '.always')) process.exit(9);
}
${code.replace(before, `die(path); ${before}`)}`;
}

const job = (part?: { from: number; to: number }) => ({
  path,
  name: 'x.parquet',
  table: NO_TABLE,
  role: null,
  ...(part === undefined ? {} : { part }),
});

test('row groups read by threads come to what one thread finds in the whole file', async () => {
  const alone = (await scanner(SOUGHT))(path);
  expect(alone.matches.map(({ where }) => where).sort()).toEqual([
    'column i',
    'column t',
    'footer',
    'statistics of column i',
  ]);
  const open = await workers.openWorkers(SOUGHT, { bytes: 0, workers: 3 });
  expect(open.width).toBe(3);
  const parts = Array.from({ length: 13 }, (_, from) => ({ from, to: from + 1 }));
  const results = await Promise.all(parts.map((part) => open.run(job(part))));
  await open.close();
  expect(results.flatMap(({ unread }) => unread)).toEqual([]);
  expect(results.flatMap(({ matches }) => matches)).toEqual(expect.arrayContaining([...alone.matches]));
});

test('S5: a job that fails in its thread leaves its file not proven, and the next is read', async () => {
  const open = await workers.openWorkers(SOUGHT, { bytes: 0, workers: 1 });
  const gone = await open.run({ ...job(), path: join(folder, 'gone.parquet') });
  expect(gone.unread).toHaveLength(1);
  const broken = await open.run({ ...job(), table: null as never });
  expect(broken.unread.length).toBeGreaterThan(0);
  expect((await open.run(job())).matches.length).toBeGreaterThan(0);
  await open.close();
});

test('S5: a file whose thread dies is read again by another', async () => {
  const open = await workers.openWorkers(SOUGHT, { bytes: 0, workers: 2 });
  writeFileSync(`${path}.once`, '');
  const { matches, unread } = await open.run(job());
  expect(existsSync(`${path}.once`)).toBe(false);
  expect(matches.map(({ where }) => where)).toContain('column t');
  expect(unread).toEqual([]);
  await open.close();
});

test('S5: a file whose threads die every time is not proven, and the others are read', async () => {
  const open = await workers.openWorkers(SOUGHT, { bytes: 0, workers: 1 });
  const deadly = join(folder, 'deadly.parquet');
  cpSync(path, deadly);
  writeFileSync(`${deadly}.always`, '');
  const [dead, alive] = await Promise.all([open.run({ ...job(), path: deadly }), open.run(job())]);
  expect(dead).toMatchObject({ matches: [], unread: ['the thread that read it ended early, twice'] });
  expect(alive.matches.length).toBeGreaterThan(0);
  await open.close();
});
