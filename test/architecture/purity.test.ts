import ts from 'typescript';
import { expect, test } from 'vitest';
import { importsOf, placeOf, type Source, sourcesUnder, walk } from './sources.ts';

const library = sourcesUnder('src').filter((source) => !source.path.startsWith('src/cli/'));

/** Expressions that read a clock or draw chance. `clock.now()` and `random.bytes()` are parameters and fine. */
const impure = [
  /^Date\.now$/,
  /^Date$/,
  /^performance\b/,
  /^Math\.random$/,
  /^Temporal\.Now\b/,
  /^process\.(hrtime|uptime)\b/,
  /^(crypto|webcrypto)\.(randomUUID|getRandomValues)$/,
  /^(randomUUID|randomBytes|randomInt|randomFill|randomFillSync)$/,
];

/** SQL and the like that would ask an engine for the time or for chance. */
const impureText =
  /\b(now|today|random|uuid|gen_random_uuid|get_current_timestamp)\s*\(|\bcurrent_(date|time|timestamp|localtime)\b/i;

const places = (find: (source: Source, node: ts.Node) => boolean): readonly string[] =>
  library.flatMap((source) => {
    const found: string[] = [];
    walk(source.tree, (node) => {
      if (find(source, node))
        found.push(`${placeOf(source, node)} ${node.getText(source.tree).slice(0, 60)}`);
    });
    return found;
  });

test('no function outside cli/ reads the clock or draws chance', () => {
  const found = places((source, node) => {
    if (ts.isCallExpression(node)) {
      const callee = node.expression.getText(source.tree).replace(/^globalThis\./, '');
      return impure.some((pattern) => pattern.test(callee));
    }
    return (
      ts.isNewExpression(node) &&
      node.expression.getText(source.tree) === 'Date' &&
      (node.arguments ?? []).length === 0
    );
  });
  expect(found).toEqual([]);
});

test('no SQL in the library asks an engine for the time or for chance', () => {
  const found = places(
    (_, node) =>
      (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) &&
      impureText.test(node.text),
  );
  expect(found).toEqual([]);
});

test('JSON.parse is kept to lineage events and the page of a plan, where no number is an id', () => {
  const found = places(
    (source, node) =>
      ts.isPropertyAccessExpression(node) &&
      node.getText(source.tree) === 'JSON.parse' &&
      !source.path.startsWith('src/lineage/') &&
      !source.path.startsWith('src/erasure/plan/render/page/browser/'),
  );
  expect(found).toEqual([]);
});

test('the library prints nothing and never ends the process', () => {
  const found = places(
    (source, node) =>
      ts.isPropertyAccessExpression(node) &&
      /^(console\.|process\.(stdout|stderr|exit|exitCode|env)\b)/.test(node.getText(source.tree)),
  );
  expect(found).toEqual([]);
});

test('the network is reached by nothing', () => {
  const network = /^(node:)?(http|https|net|tls|dgram|http2)$/;
  const found = library.flatMap((source) =>
    importsOf(source)
      .filter((imported) => network.test(imported.to))
      .map((imported) => `${source.path} imports ${imported.to}`),
  );
  expect(found).toEqual([]);
});

test('files are written through storage, except for the register, private state, databases and the plane that writes them', () => {
  const allowed =
    /^src\/(storage|governance|lineage|register|erasure\/job|warehouse\/planes|warehouse\/catalogs\/sql)\//;
  const found = library.flatMap((source) =>
    importsOf(source)
      .filter((imported) => /^(node:)?fs(\/promises)?$/.test(imported.to) && !allowed.test(source.path))
      .map((imported) => `${source.path} imports ${imported.to}`),
  );
  expect(found).toEqual([]);
});
