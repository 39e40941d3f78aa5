/// <reference lib="dom" />
/** The page in a real browser: each event of the rehearsal is put right by mouse, and by keys alone, and the games are compared. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDeskScenes } from '../../recorder/demo/desk-scenes.ts';
import { buildPage } from '../../recorder/desk/page-files.ts';
import { findBrowser, openBrowser } from '../recorder/desk/browser.ts';
import { type Rehearsal, rehearse } from '../recorder/desk/desk-rehearsal.ts';
import { temporaryFolder } from '../recorder/temporary-folder.ts';

const executable = findBrowser();
if (executable === undefined) console.warn('no Chromium on this system: the page is not tried in a browser');

/** How many times faster than life the rehearsal goes. */
const SPEED = 3;
/** The longest a rehearsal may take until everything has happened, ms. */
const HAPPENED_MS = 300_000;
const TEST_MS = 900_000;

/** What is done about each event; `result` and `claim` lead to another page. */
const ANSWERS: Readonly<Record<string, { readonly name: string; readonly nth?: number }>> = {
  ILLEGAL: { name: 'confirm' },
  PRESSED_WITHOUT_MOVE: { name: 'dismiss' },
  PROMO_INCOMPLETE: { name: 'confirm' },
  DISPLACED: { name: 'acknowledge' },
  AMBIGUOUS: { name: 'replace', nth: 1 },
  LINK_LOST: { name: 'acknowledge' },
  FLAG_FALL: { name: 'register' },
  THREEFOLD_CLAIMABLE: { name: 'claim' },
  TOUCH_MOVE: { name: 'confirm' },
  OUT_OF_TURN: { name: 'dismiss' },
  EP_VICTIM_LEFT: { name: 'confirm' },
  RESULT_UNKNOWN: { name: 'decide-result' },
};

/** The games as they must be afterwards, by table. */
const EXPECTED: Readonly<Record<string, { readonly sans: string; readonly result: string }>> = {
  '1': { sans: 'e4 e5 Nf3 Nc6 !f1f5', result: '*' },
  '2': { sans: 'd4 d5 c4', result: '*' },
  '3': { sans: 'a4 b5 axb5 a6 bxa6 Bb7 axb7 e6 bxa8=Q', result: '*' },
  '4': { sans: 'e4 c5 Nf3 d6', result: '*' },
  '5': { sans: 'e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6', result: '*' },
  '6': { sans: 'c4 e5 Nc3', result: '*' },
  '7': { sans: 'e4 e6 d4', result: '1-0' },
  '8': { sans: 'Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8', result: '1/2-1/2' },
  '9': { sans: 'e4 e5 Nf3 Nc6', result: '*' },
  '10': { sans: 'd4 Nf6 c4', result: '*' },
  '11': { sans: 'e4 a6 e5 d5 exd6', result: '*' },
  '12': { sans: 'e4 e5 Nf3 Nc6 Bb5', result: '0-1' },
};

const WORDS = createDeskScenes().map(({ word }) => word);
const listed = (word: string): string => `.hall li.attention[data-code^="${word}"]`;

/** Somebody at the desk, by whatever means. */
interface Means {
  /** Does what a button of an entry in the list says. */
  resolve(page: Page, word: string, name: string, nth: number): Promise<void>;
  /** Signs with a name when asked. */
  sign(page: Page, name: string): Promise<void>;
  press(page: Page, selector: string): Promise<void>;
  choose(page: Page, selector: string, value: string): Promise<void>;
  back(page: Page): Promise<void>;
}

const MOUSE: Means = {
  resolve: (page, word, name, nth) =>
    page
      .locator(`${listed(word)} [data-do="${name}"]`)
      .nth(nth)
      .click(),
  sign: async (page, name) => {
    await page.locator('#sign-name').fill(name);
    await page.locator('dialog button[type=submit]').click();
  },
  press: (page, selector) => page.locator(selector).click(),
  choose: async (page, selector, value) => {
    await page.locator(selector).selectOption(value);
  },
  back: (page) => page.locator('.bar nav a').first().click(),
};

/** Goes on with the tabulator until what is meant has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  await page.locator(selector).first().waitFor();
  for (let presses = 0; presses < 400; presses++) {
    if (await page.evaluate((meant) => document.activeElement?.matches(meant) === true, selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`no number of tabs leads to ${selector}`);
}

const KEYS: Means = {
  async resolve(page, word, name, nth) {
    const isFocused = () =>
      page.evaluate((meant) => document.querySelector(`${meant}.focused`) !== null, listed(word));
    for (let presses = 0; presses < 30; presses++) await page.keyboard.press('k');
    for (let presses = 0; presses < 40 && !(await isFocused()); presses++) await page.keyboard.press('j');
    const names = await page
      .locator(`${listed(word)}.focused [data-do]`)
      .evaluateAll((buttons) => buttons.map((button) => (button as HTMLElement).dataset.do));
    const place = names.flatMap((known, i) => (known === name ? [i] : []))[nth];
    expect([word, place]).toEqual([word, expect.any(Number)]);
    await page.keyboard.press(String(place! + 1));
  },
  async sign(page, name) {
    await page.locator('#sign-name').waitFor();
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
  },
  async press(page, selector) {
    await tabTo(page, selector);
    await page.keyboard.press('Enter');
  },
  async choose(page, selector, value) {
    await tabTo(page, selector);
    for (let presses = 0; presses < 40; presses++) {
      if ((await page.locator(selector).inputValue()) === value) return;
      await page.keyboard.press(presses === 0 ? 'Home' : 'ArrowDown');
    }
    throw new Error(`no ${value} in ${selector}`);
  },
  back: (page) => page.keyboard.press('h'),
};

/** Waits until every event of the rehearsal stands in the list. */
const waitForAll = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    (codes) =>
      codes.every((code) => document.querySelector(`.hall li.attention[data-code^="${code}"]`) !== null),
    WORDS as readonly string[],
    { timeout: HAPPENED_MS },
  );

/** Puts a result in by the form of the game page: chosen, looked at, saved. */
async function decideResult(page: Page, means: Means, score: string, termination: string): Promise<void> {
  const form = 'form[data-decision="result"]';
  await page.locator(form).waitFor();
  await means.choose(page, `${form} label:nth-of-type(1) select`, score);
  await means.choose(page, `${form} label:nth-of-type(2) select`, termination);
  await means.press(page, `${form} button[type=submit]`);
  await page.locator(`${form} .verdict`).waitFor();
  await means.press(page, `${form} .verdict button[type=submit]`);
  await page.locator('.toast.done').waitFor();
}

/** Puts everything right, one thing after the other. */
async function putRight(page: Page, means: Means): Promise<void> {
  let isSigned = false;
  for (const word of WORDS) {
    const { name, nth = 0 } = ANSWERS[word]!;
    await means.resolve(page, word, name, nth);
    if (name === 'claim') {
      await page.locator('.claim-correct').waitFor();
      await means.back(page);
      await page.locator(listed(word)).waitFor();
      await means.resolve(page, word, 'open', 0);
      await decideResult(page, means, '1/2-1/2', 'threefold');
      await means.back(page);
    } else if (name === 'decide-result') {
      await decideResult(page, means, '0-1', 'resignation');
      await means.back(page);
    } else if (!isSigned) {
      await means.sign(page, 'Nina Arbiter');
      isSigned = true;
    }
    await page.locator(listed(word)).waitFor({ state: 'detached' });
  }
}

/** What of a PGN does not depend on when it was played. */
const timeless = (pgn: string): string =>
  pgn
    .replace(/^\[(Date|GameId|UTCDate|UTCTime|Time|EndTime|EndDate).*\]\n/gm, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\s+/g, ' ')
    .replace(/\d+\.\.\. /g, '');

/** Nothing grave is found in any page, in light and in dark. */
async function lookByAxe(page: Page, at: Rehearsal): Promise<void> {
  const { id } = at.games().get('5')!;
  for (const path of ['#/', `#/game/${id}`, `#/claim/${id}`, '#/setup']) {
    await page.goto(`${at.url}/${path}`);
    await page
      .locator(path === '#/setup' ? 'tr[data-board]' : 'main h1')
      .first()
      .waitFor({ state: 'attached' });
    for (const theme of ['light', 'dark']) {
      await page.locator('#theme').selectOption(theme);
      const { violations } = await new AxeBuilder({ page }).analyze();
      const grave = violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(
          ({ id: rule, nodes }) =>
            `${theme} ${path} ${rule}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
        );
      expect(grave).toEqual([]);
    }
  }
  await page.goto(`${at.url}/#/`);
}

describe.skipIf(executable === undefined)('the desk in a browser', () => {
  let browser: Browser;
  let pageDir: string;
  beforeAll(async () => {
    pageDir = mkdtempSync(join(tmpdir(), 'jadoube-page-'));
    await buildPage(pageDir);
    browser = await openBrowser(executable!);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    rmSync(pageDir, { recursive: true, force: true });
  });

  const open = async (at: Rehearsal, failures: string[], colorScheme: 'light' | 'dark' = 'light') => {
    const context = await browser.newContext({
      locale: 'en-GB',
      colorScheme,
      viewport: { width: 1280, height: 900 },
    });
    const page = await context.newPage();
    page.on('pageerror', (error) => failures.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('status of')) failures.push(message.text());
    });
    await page.goto(at.url);
    return page;
  };

  const played = new Map<string, Map<string, string>>();

  it.each([
    ['by mouse', MOUSE],
    ['by keys alone', KEYS],
  ] as const)(
    'lets each event be put right %s',
    async (how, means) => {
      const at = await rehearse(pageDir, SPEED, temporaryFolder());
      const failures: string[] = [];
      try {
        const page = await open(at, failures);
        await waitForAll(page);
        if (means === MOUSE) await lookByAxe(page, at);
        await putRight(page, means);
        // The recorder derives games from what was entered, a moment later.
        await expect
          .poll(
            () =>
              Object.fromEntries(
                [...at.games()].map(([table, { sans, result }]) => [table, { sans, result }]),
              ),
            { timeout: 20_000 },
          )
          .toEqual(EXPECTED);
        expect(failures).toEqual([]);
        played.set(how, new Map([...at.games()].map(([table, { pgn }]) => [table, timeless(pgn)])));
        await page.context().close();
      } finally {
        await at.stop();
      }
    },
    TEST_MS,
  );

  it('comes to the same PGN by mouse and by keys', () => {
    expect(played.size).toBe(2);
    expect(played.get('by keys alone')).toEqual(played.get('by mouse'));
  });
});
