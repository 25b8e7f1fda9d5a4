import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, root, type Source, sourcesUnder } from './sources.ts';

const sources = sourcesUnder('src');
const map = readFileSync(join(root, 'src/README.md'), 'utf8');

/** The layers, first to last, as the table of src/README.md lists them. */
const layers = [...map.matchAll(/^\| `([^`]+)`/gm)].map((match) => match[1]!);

/** The rank of a file's layer. An index beside `erasure/job/` opens all of erasure, so it stands with the job. */
function rankOf(path: string): number {
  const inside = path.replace(/^src\//, '');
  if (inside === 'erasure/index.ts') return layers.indexOf('erasure/job/');
  const named = layers.filter(
    (layer) => inside === layer || (layer.endsWith('/') && inside.startsWith(layer)),
  );
  const longest = named.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? -1 : layers.indexOf(longest);
}

const runTime = (source: Source): readonly string[] =>
  importsOf(source)
    .filter((imported) => !imported.typeOnly && imported.to.startsWith('src/'))
    .map((imported) => imported.to);

test('src/README.md names every folder and file of src, and nothing else', () => {
  const there = readdirSync(join(root, 'src'), { withFileTypes: true })
    .filter((entry) => entry.name !== 'README.md')
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
  expect(layers.filter((layer) => layer !== 'erasure/job/').sort()).toEqual(there.sort());
});

test('every source file belongs to a layer', () => {
  expect(sources.map((source) => source.path).filter((path) => rankOf(path) < 0)).toEqual([]);
});

test('at run time a stage imports only from earlier ones', () => {
  const back = sources.flatMap((source) =>
    runTime(source)
      .filter((to) => rankOf(to) > rankOf(source.path))
      .map((to) => `${source.path} imports ${to}`),
  );
  expect(back).toEqual([]);
});

test('no file imports itself by a detour', () => {
  const graph = new Map(sources.map((source) => [source.path, runTime(source)]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      return;
    }
    if (done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  expect(cycles).toEqual([]);
});

test('an index only re-exports, values by name; the root may take all that an index gives', () => {
  const byName = /^export (type )?(\{[^}]*\}|(?<=type )\*) from '[^']+';$/s;
  const whole = /^export \* from '\.\/\w+\/index\.ts';$/;
  const other = sources
    .filter(({ path }) => path.endsWith('/index.ts'))
    .flatMap(({ path, tree }) =>
      tree.statements
        .map((statement) => statement.getText(tree))
        .filter((text) => !byName.test(text) && !(path === 'src/index.ts' && whole.test(text)))
        .map((text) => `${path}: ${text.split('\n')[0]}`),
    );
  expect(other).toEqual([]);
});
