import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { root, type Source, sourcesUnder, walk } from './sources.ts';

/** A rule's number: a letter, digits, and perhaps the letter of a part. */
const number = '[RCLEGPS]\\d{1,2}[a-h]?';

/** The rules that are built, from their headings in docs/rules.md. */
const rules = [...readFileSync(join(root, 'docs/rules.md'), 'utf8').matchAll(/^- \*\*(\w+)\*\* /gm)].map(
  (match) => match[1]!,
);

/** `rule R2`, `rules R2 and R3`, `rules S1 to S3`, in the doc comments of a file. */
function namedInDocstrings(source: Source): readonly string[] {
  const comments = source.text.match(/\/\*\*[\s\S]*?\*\//g) ?? [];
  const mention = new RegExp(`\\brules?\\s+(${number}(?:(?:,| and| to|\\s|\\*)+${number})*)`, 'gi');
  return comments.flatMap((comment) =>
    [...comment.matchAll(mention)].flatMap((match) => expand(match[1]!.replace(/[\s*]+/g, ' '))),
  );
}

/** Spells out `S1 to S3` and `L1a to L1g`; everything else is split at its separators. */
function expand(list: string): readonly string[] {
  const range = (from: number, to: number, name: (step: number) => string): string =>
    Array.from({ length: to - from + 1 }, (_, step) => name(from + step)).join(' ');
  const spelled = list
    .replace(/([A-Z])(\d+) to \1(\d+)/g, (_, letter: string, from: string, to: string) =>
      range(Number(from), Number(to), (step) => `${letter}${step}`),
    )
    .replace(/([A-Z]\d+)([a-h]) to \1([a-h])/g, (_, rule: string, from: string, to: string) =>
      range(from.charCodeAt(0), to.charCodeAt(0), (step) => rule + String.fromCharCode(step)),
    );
  return spelled.match(new RegExp(number, 'g')) ?? [];
}

/** The rules before the colon of a test's or suite's title: `R2: …`, `L1a, L1b: …`. */
function pinnedByTitles(source: Source): readonly string[] {
  const found: string[] = [];
  walk(source.tree, (node) => {
    if (!ts.isCallExpression(node)) return;
    const title = node.arguments[0];
    if (title === undefined || !(ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) return;
    if (!/^(test|it|describe)\b/.test(node.expression.getText(source.tree))) return;
    const text = ts.isTemplateExpression(title) ? title.head.text : title.text;
    const lead = new RegExp(`^(${number}(?:,? (?:and )?${number})*): `).exec(text);
    if (lead !== null) found.push(...expand(lead[1]!));
  });
  return found;
}

test('docs/rules.md lists the rules in order, each once', () => {
  expect(rules.length).toBeGreaterThan(40);
  expect(new Set(rules).size).toBe(rules.length);
});

test('every rule stands in a docstring of src', () => {
  const named = new Set(sourcesUnder('src').flatMap(namedInDocstrings));
  expect(rules.filter((rule) => !named.has(rule))).toEqual([]);
});

test('every rule stands at the start of a test title', () => {
  const pinned = new Set(sourcesUnder('test').flatMap(pinnedByTitles));
  expect(rules.filter((rule) => !pinned.has(rule))).toEqual([]);
});

test('no title names a rule that does not exist', () => {
  const pinned = sourcesUnder('test').flatMap(pinnedByTitles);
  const known = new Set([...rules, ...later]);
  expect(pinned.filter((rule) => !known.has(rule))).toEqual([]);
});

/** Rules of later deliveries that may be pinned before their page says so. */
const later = ['R6', 'R7', 'C4', 'C5', 'E4', 'E5', 'E6', 'E10', 'G3', 'G4', 'P3', 'L1', 'L2'];
