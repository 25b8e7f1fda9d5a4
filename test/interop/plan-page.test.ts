import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { planHtml } from '../../src/erasure/plan/index.ts';
import {
  companyPlan,
  HOSTILE,
  hostilePlan,
  type Planned,
  platformPlan,
} from '../erasure/plan/render/plans.ts';

let browser: Browser;
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lethe-page-'));
  browser = await chromium.launch({
    executablePath: inject('chromium'),
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--no-first-run',
    ],
  });
});
afterAll(async () => {
  await browser?.close();
  await rm(dir, { recursive: true, force: true });
});

let page: Page;
/** What the page asked for beside itself, and what the browser complained of. */
let asked: string[];
let complaints: string[];
beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  [asked, complaints] = [[], []];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`));
});
afterEach(async () => {
  const own = page.url().split('#')[0];
  await page.close();
  expect(complaints).toEqual([]);
  expect(asked.filter((url) => url !== own)).toEqual([]);
});

async function open({ plan, lineage }: Planned, hash = ''): Promise<void> {
  const file = join(dir, `${plan.digest}.html`);
  await writeFile(file, planHtml(plan, lineage));
  await page.goto(`${pathToFileURL(file)}${hash}`);
  await page.locator('body.ready').waitFor();
}

/** What a reader sees of it. */
const seen = async (locator: Locator): Promise<string> => (await locator.allInnerTexts()).join('\n');
const detail = (): Locator => page.locator('#detail');
const step = (table: string): Locator => page.locator('#steps button').filter({ hasText: table });
const column = (name: string): Locator => page.locator(`.row[aria-label^="${name}"] text`);
const focused = (): Promise<string | null> =>
  page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.id');

describe('L9: the page of the platform', () => {
  beforeEach(async () => open(await platformPlan()));

  test('shows each step and its table, in the plan’s order', async () => {
    expect(await page.locator('#steps .name').allTextContents()).toHaveLength(10);
    expect(await page.locator('.card').count()).toBe(10);
    expect(await seen(page.locator('.legend'))).toMatch(/delete\s*8[\s\S]*rebuild\s*1[\s\S]*keep\s*1/);
    expect(await page.locator('#graph .passage').count()).toBe(10);
  });

  test('a click on a step tells what is done and why', async () => {
    await step('billing.payments').click();
    expect(await seen(detail())).toMatch(
      /keep\s+and clear card_number[\s\S]*legal team[\s\S]*an exception keeps its rows/,
    );
    expect(await step('billing.payments').getAttribute('aria-current')).toBe('step');
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await detail().isHidden()).toBe(true);
  });

  test('a click on a column shows its path, edge by edge, with roles, job, run and time', async () => {
    await column('review_id, column of ai.review_corpus').click();
    const path = detail().locator('.path');
    expect(await path.count()).toBe(1);
    expect(await seen(path)).toMatch(
      /^learning\.reviews\.review_id\s+identity\s+by test review_corpus\s+run review_corpus-0, 2026-09-01 00:01:00 UTC\s+ai\.review_corpus\.review_id$/,
    );
    expect(await page.locator('.column-line.values').count()).toBe(1);
    const lit = await page.locator('.card.lit .face').all();
    const names = await Promise.all(lit.map((face) => face.getAttribute('aria-label')));
    expect(names.map((label) => label!.split(':')[0]).sort()).toEqual([
      'ai.review_corpus',
      'crm.learners',
      'learning.reviews',
    ]);
    expect(decodeURIComponent(page.url().split('#')[1]!)).toBe('ai.review_corpus/review_id');
  });

  test('a path leads on by its links', async () => {
    await column('learner_id, column of crm.learners').click();
    await detail().getByRole('button', { name: 'marketing.audience.learner_id' }).click();
    expect(await seen(detail().locator('h2'))).toBe('learner_id');
    await detail().getByRole('button', { name: 'crm.learners.learner_id' }).first().click();
    expect(await seen(detail())).toContain('From outside: no job of the lineage fills it.');
  });

  test('the address names what is looked at', async () => {
    await open(await platformPlan(), '#marketing.audience/email');
    await page.reload();
    expect(await seen(detail().locator('h2'))).toBe('email');
    expect(await seen(detail().locator('.path'))).toContain('crm.learners.email');
  });

  test('search finds tables and columns, by keys alone', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('audience mail');
    expect(await page.locator('#results [role=option]').allInnerTexts()).toEqual([
      'marketing.audience.email',
    ]);
    await page.keyboard.press('Enter');
    expect(await seen(detail().locator('h2'))).toBe('email');
    await page.keyboard.press('/');
    await page.keyboard.type('learner');
    const first = await seen(page.locator('#results [aria-selected=true]'));
    await page.keyboard.press('ArrowDown');
    expect(await seen(page.locator('#results [aria-selected=true]'))).not.toBe(first);
    await page.keyboard.press('Escape');
    expect(await page.locator('#results').isHidden()).toBe(true);
    await page.keyboard.press('/');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('no such thing');
    expect(await seen(page.locator('#results'))).toBe('Nothing found');
  });

  test('the graph is walked by arrow keys and chosen by Enter', async () => {
    await page.locator('.face[aria-label^="crm.learners:"]').focus();
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('learner_id, column of crm.learners, key');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toMatch(/^(marketing\.audience|ai\.review_corpus|analytics\.learner_activity): /);
    await page.keyboard.press('ArrowLeft');
    expect(await focused()).toMatch(/^(crm\.learners|learning\.\w+): /);
    await page.keyboard.press('Enter');
    expect(await detail().isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await detail().isHidden()).toBe(true);
  });

  test('steps, too, are walked by keys, and focus is seen', async () => {
    await step('billing.payments').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await seen(detail().locator('h2'))).toBe('crm.learners');
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    expect(outline).toBe('solid');
  });

  test('tables are drawn without their columns, larger, smaller and whole', async () => {
    expect(await page.locator('.row').count()).toBeGreaterThan(0);
    await page.keyboard.press('t');
    expect(await page.locator('.row').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Tables', exact: true }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    expect(await page.locator('.row').count()).toBeGreaterThan(0);
    const width = async (): Promise<number> =>
      (await page.locator('.face .frame').first().boundingBox())!.width;
    const whole = await width();
    await page.keyboard.press('+');
    expect(await width()).toBeGreaterThan(whole);
    await page.keyboard.press('0');
    expect(await width()).toBeCloseTo(whole);
    await page.keyboard.press('-');
    expect(await width()).toBeLessThan(whole);
  });

  test('the graph is moved by dragging', async () => {
    const at = async (): Promise<number> => (await page.locator('.face .frame').first().boundingBox())!.x;
    const before = await at();
    const { x, y, width, height } = (await page.locator('#graph').boundingBox())!;
    await page.mouse.move(x + width / 2, y + height - 90);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 + 60, y + height - 90, { steps: 4 });
    await page.mouse.up();
    expect((await at()) - before).toBeCloseTo(60);
  });

  test('the legend hides what it is asked to', async () => {
    await page.locator('.legend .delete').click();
    expect(await page.locator('#steps button:visible').count()).toBe(2);
    await page.locator('.legend .delete').click();
    expect(await page.locator('#steps button:visible').count()).toBe(10);
  });

  test('it is dark where the reader’s system is', async () => {
    const ground = (): Promise<unknown> => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await ground();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await ground()).not.toBe(light);
  });
});

describe('L9: hostile names', () => {
  test('are read as they are, and neither run nor become elements', async () => {
    const planned = await hostilePlan();
    await open(planned);
    const steps = await page.locator('#steps .step > .name').allTextContents();
    for (const name of HOSTILE.filter((each) => !/[\p{Cc}\u2028\u202e\u200f]/u.test(each)))
      expect(steps).toContain(`mart.${name}`);
    expect(steps).toContain('mart.\\u{1b}[2J\\u{202e}gnp.exe');
    expect(steps).toContain('mart.שלום\\u{200f} 🧑‍🎓 naïve');
    for (let at = 0; at < planned.plan.steps.length; at++) {
      await page.locator('#steps button').nth(at).click();
      const link = page.locator('#detail .columns button').first();
      await link.click();
    }
    await page.keyboard.press('c');
    await page.keyboard.press('/');
    await page.keyboard.type('<img src');
    expect(await page.locator('#results [role=option]').count()).toBeGreaterThan(0);
    expect(await page.evaluate('globalThis.harm')).toBeUndefined();
    expect(await page.locator('img, iframe, foreignObject, [onerror], [onmouseover], a').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(2);
  });

  test('an address that names no table, or is no address, opens the whole', async () => {
    await open(await platformPlan(), '#%E0%A4%A/<script>globalThis.harm=1</script>');
    expect(await detail().isHidden()).toBe(true);
    expect(await page.evaluate('globalThis.harm')).toBeUndefined();
  });

  test('the policy stops a script that is not the page’s own', async () => {
    await open(await platformPlan());
    await page.evaluate(
      'document.body.append(Object.assign(document.createElement("script"), { textContent: "globalThis.harm = 1" }))',
    );
    expect(await page.evaluate('globalThis.harm')).toBeUndefined();
    expect(complaints.splice(0).join()).toMatch(/Content Security Policy/);
  });
});

test('L9: three hundred tables are drawn, found and opened', async () => {
  await open(await companyPlan(300));
  expect(await page.locator('.card').count()).toBe(300);
  expect(await seen(page.locator('.open'))).toMatch(/^Not ready: \d+ of 300 tables needs? a decision$/);
  await page.locator('#steps .review').first().click();
  expect(await seen(detail())).toMatch(/What has to be decided[\s\S]*Ask the data[\s\S]*SELECT/);
  const chosen = (await page.locator('.card.chosen .face > .frame').boundingBox())!;
  const frame = (await page.locator('#stage').boundingBox())!;
  expect(chosen.x >= frame.x && chosen.x + chosen.width <= frame.x + frame.width).toBe(true);
  expect(chosen.y >= frame.y && chosen.y + chosen.height <= frame.y + frame.height).toBe(true);
  expect(chosen.width).toBeGreaterThan(100);
  await page.keyboard.press('c');
  expect(await page.locator('.row').count()).toBeGreaterThan(800);
  // What is looked at stays in sight.
  const still = (await page.locator('.card.chosen .face > .frame').boundingBox())!;
  expect(still.y >= frame.y && still.y < frame.y + frame.height).toBe(true);
  expect(still.width).toBeGreaterThan(100);
});
