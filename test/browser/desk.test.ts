/// <reference lib="dom" />
/** The page in a real browser: each event of the rehearsal is put right by mouse, and by keys alone, and the games are compared. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FlagWord } from '../../core/flag.ts';
import type { Score, Termination } from '../../core/laws/endings.ts';
import { createDeskScenes } from '../../recorder/demo/desk-scenes.ts';
import type { Resolution } from '../../recorder/desk/model/hall-row.ts';
import { buildPage } from '../../recorder/desk/page-files.ts';
import { findBrowser, openBrowser } from '../recorder/desk/browser.ts';
import { FIRST_BOARD, type Rehearsal, rehearse } from '../recorder/desk/desk-rehearsal.ts';

const executable = findBrowser();
if (executable === undefined) console.warn('no Chromium on this system: the page is not tried in a browser');

/** How many times faster than life the rehearsal goes. */
const SPEED = 2;
/** The longest a rehearsal may take until everything has happened, ms. */
const HAPPENED_MS = 240_000;
/** How often it is said what is still to come, ms. */
const TELL_EVERY_MS = 20_000;
/** The longest that one step may take, and all of one table, ms: a hurried machine taps slowly. */
const STEP_MS = 60_000;
const TEST_MS = 180_000;

/** An entry of the list and the button that is pressed for it. `nth`: of several that are called alike. */
interface Answer {
  readonly word: FlagWord;
  readonly name: Resolution['name'];
  readonly nth?: number;
  /** What the form of the game page is filled with, where a result is given. */
  readonly result?: readonly [score: Score, termination: Termination];
}

/** What is done about each event, by table, in this order. `decide-result` and `claim` lead to another page. */
const ANSWERS: Readonly<Record<string, readonly Answer[]>> = {
  '1': [
    { word: 'SENSOR_MISSING', name: 'acknowledge' },
    { word: 'ILLEGAL', name: 'confirm' },
    { word: 'PIECE_MISSING', name: 'acknowledge' },
  ],
  '2': [
    { word: 'PRESSED_WITHOUT_MOVE', name: 'dismiss' },
    { word: 'CASTLING_INCOMPLETE', name: 'confirm' },
    { word: 'RESULT_PROPOSED', name: 'acknowledge' },
    { word: 'FLAG_FALL', name: 'register' },
  ],
  '3': [
    { word: 'PROMO_INCOMPLETE', name: 'confirm' },
    { word: 'ILLEGAL_STANDS', name: 'acknowledge' },
    { word: 'RESULT_PROPOSED', name: 'acknowledge' },
    { word: 'DRAW_A54', name: 'decide-result', result: ['1/2-1/2', 'illegal-position'] },
  ],
  '4': [
    { word: 'DEFAULT_TIME', name: 'acknowledge' },
    { word: 'DISPLACED', name: 'acknowledge' },
    { word: 'THREEFOLD_CLAIMABLE', name: 'claim', result: ['1/2-1/2', 'threefold'] },
  ],
  '5': [
    { word: 'EXTRA_PIECE', name: 'acknowledge' },
    { word: 'AMBIGUOUS', name: 'replace', nth: 1 },
  ],
  '6': [
    { word: 'ILLEGAL', name: 'acknowledge' },
    { word: 'LINK_LOST', name: 'acknowledge' },
    { word: 'FIFTY_CLAIMABLE', name: 'claim', result: ['1/2-1/2', 'fifty'] },
  ],
  '7': [
    { word: 'SEVENTY_FIVE', name: 'acknowledge' },
    { word: 'DEAD_POSITION', name: 'acknowledge' },
  ],
  '8': [
    { word: 'FIVEFOLD', name: 'acknowledge' },
    { word: 'RESULT_PROPOSED', name: 'acknowledge' },
    { word: 'RESULT_CONFLICT', name: 'decide-result', result: ['0-1', 'checkmate'] },
  ],
  '9': [
    { word: 'TOUCH_MOVE', name: 'confirm' },
    { word: 'ROOK_TOUCHED_FIRST', name: 'acknowledge' },
    { word: 'RESULT_HINT', name: 'acknowledge' },
  ],
  '10': [
    { word: 'OUT_OF_TURN', name: 'dismiss' },
    { word: 'WRONG_COLOUR', name: 'acknowledge' },
  ],
  '11': [
    { word: 'WRONG_START', name: 'acknowledge' },
    { word: 'EP_VICTIM_LEFT', name: 'confirm' },
    { word: 'IRREGULAR_SINCE', name: 'acknowledge' },
    { word: 'PERIOD_EARLY', name: 'acknowledge' },
  ],
  '12': [
    { word: 'RESULT_UNKNOWN', name: 'decide-result', result: ['0-1', 'resignation'] },
    { word: 'DRAW_TOO_EARLY', name: 'acknowledge' },
    { word: 'RESULT_CHANGED', name: 'decide-result', result: ['1-0', 'resignation'] },
  ],
};

/** The games as they must be afterwards, by table; "8.2" is the second one at table 8. */
const EXPECTED: Readonly<Record<string, { readonly sans: string; readonly result: string }>> = {
  '1': { sans: 'e4 e5 Nf3 Nc6 a3 d6 Be2 h6 Kf1', result: '*' },
  '2': { sans: 'e4 e5 Nf3 Nc6 Bc4 Bc5 O-O', result: '1-0' },
  '3': { sans: 'a4 b5 axb5 a6 bxa6 Bb7 axb7 e6 bxa8=Q e5', result: '1/2-1/2' },
  '4': { sans: 'Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8', result: '1/2-1/2' },
  '5': { sans: 'e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6', result: '*' },
  '6': { sans: 'Nf3 Nc6 Bc4', result: '1/2-1/2' },
  '7': { sans: 'Kd3 Kd6 Kc3 Kd5 Kc2', result: '1/2-1/2' },
  '7.2': { sans: 'Kxe5', result: '1/2-1/2' },
  '8': { sans: `e4 e5${' Nf3 Nf6 Ng1 Ng8'.repeat(4)}`, result: '1/2-1/2' },
  '8.2': { sans: 'f3 e5 g4 Qh4#', result: '0-1' },
  '9': { sans: 'e4 e5 Nf3 Nc6 Bc4 Bc5 O-O', result: '*' },
  '10': { sans: 'd4 Nf6 c4 e6 g3', result: '*' },
  '11': { sans: 'e4 a6 e5 d5 exd6 g6 h3', result: '*' },
  '12': { sans: 'e4 e5 Nf3 Nc6 Bb5', result: '0-1' },
  '12.2': { sans: 'Nf3 Nf6', result: '1-0' },
};

/** Any entry of the list that tells of a table. */
const anyOf = (table: string): string =>
  `.hall li.attention[data-board="dgt-${FIRST_BOARD - 1 + Number(table)}"]`;

/** The entry of the list that tells of a word at a table: `WORD` or `WORD(...)`. */
const listed = (table: string, word: FlagWord): string => {
  const entry = anyOf(table);
  return `:is(${entry}[data-code="${word}"], ${entry}[data-code^="${word}("])`;
};

/** Somebody at the desk, by whatever means. */
interface Means {
  /** Does what a button of an entry in the list says. */
  resolve(page: Page, entry: string, name: string, nth: number): Promise<void>;
  /** Signs with a name when asked. */
  sign(page: Page, name: string): Promise<void>;
  press(page: Page, selector: string): Promise<void>;
  choose(page: Page, selector: string, value: string): Promise<void>;
  back(page: Page): Promise<void>;
}

const MOUSE: Means = {
  resolve: (page, entry, name, nth) => page.locator(`${entry} [data-do="${name}"]`).nth(nth).click(),
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
  async resolve(page, entry, name, nth) {
    const isFocused = () =>
      page.evaluate((meant) => document.querySelector(`${meant}.focused`) !== null, entry);
    for (let presses = 0; presses < 45; presses++) await page.keyboard.press('k');
    for (let presses = 0; presses < 60 && !(await isFocused()); presses++) await page.keyboard.press('j');
    const names = await page
      .locator(`${entry}.focused [data-do]`)
      .evaluateAll((buttons) => buttons.map((button) => (button as HTMLElement).dataset.do));
    const place = names.flatMap((known, i) => (known === name ? [i] : []))[nth];
    expect([entry, place]).toEqual([entry, expect.any(Number)]);
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

/** Waits until every event of the rehearsal stands in the list, and says now and then what is still to come. */
async function waitForAll(page: Page): Promise<void> {
  let missing = Object.entries(ANSWERS).flatMap(([table, answers]) =>
    answers.map(({ word }) => ({ told: `${table} ${word}`, entry: listed(table, word) })),
  );
  const untilMs = performance.now() + HAPPENED_MS;
  while (missing.length > 0) {
    const leftMs = Math.max(1, untilMs - performance.now());
    const isAllThere = await page
      .waitForFunction(
        (entries) => entries.every((entry) => document.querySelector(entry) !== null),
        missing.map(({ entry }) => entry),
        { timeout: Math.min(leftMs, TELL_EVERY_MS) },
      )
      .then(
        () => true,
        () => false,
      );
    if (isAllThere) return;
    const isThere = await page.evaluate(
      (entries) => entries.map((entry) => document.querySelector(entry) !== null),
      missing.map(({ entry }) => entry),
    );
    missing = missing.filter((_, i) => !isThere[i]);
    console.info(`still to happen: ${missing.map(({ told }) => told).join(', ')}`);
    if (performance.now() >= untilMs) expect(missing.map(({ told }) => told)).toEqual([]);
  }
}

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

/** Puts right what has happened at a table, one thing after the other. */
async function putRight(page: Page, means: Means, table: string): Promise<void> {
  for (const { word, name, nth = 0, result } of ANSWERS[table]!) {
    const entry = listed(table, word);
    await means.resolve(page, entry, name, nth);
    if (name === 'claim') {
      await page.locator('.claim-correct').waitFor();
      await means.back(page);
      await page.locator(entry).waitFor();
      await means.resolve(page, entry, 'open', 0);
    }
    if (result !== undefined) {
      await decideResult(page, means, ...result);
      await means.back(page);
    } else if (await isAskedForName(page, entry)) await means.sign(page, 'Nina Arbiter');
    await page.locator('.hall').first().waitFor();
    await page.locator(entry).waitFor({ state: 'detached' });
  }
  // Nothing else has come up on the way.
  await page.locator(anyOf(table)).first().waitFor({ state: 'detached' });
}

/** Waits for what follows the first decision of a page, its signature, or for what follows any other. */
async function isAskedForName(page: Page, entry: string): Promise<boolean> {
  const asked = page.locator('#sign-name');
  await Promise.race([asked.waitFor(), page.locator(entry).waitFor({ state: 'detached' })]);
  return asked.isVisible();
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
    page.on('response', async (response) => {
      if (response.status() >= 400) console.warn(`${response.url()}: ${await response.text()}`);
    });
    page.setDefaultTimeout(STEP_MS);
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('status of')) failures.push(message.text());
    });
    await page.goto(at.url);
    return page;
  };

  it('has an answer to each event of the rehearsal', () => {
    const answered = Object.values(ANSWERS).map((answers) => answers.map(({ word }) => word));
    expect(answered).toEqual(createDeskScenes().map(({ words }) => words));
  });

  const played = new Map<string, Map<string, string>>();

  describe.each([
    ['by mouse', MOUSE],
    ['by keys alone', KEYS],
  ] as const)('puts right %s', (how, means) => {
    const failures: string[] = [];
    let at: Rehearsal;
    let page: Page;
    // All tables are of one rehearsal: what is made for a single test is gone with it.
    let dir: string;
    beforeAll(async () => {
      dir = mkdtempSync(join(tmpdir(), 'jadoube-rehearsal-'));
      at = await rehearse(pageDir, SPEED, dir);
      page = await open(at, failures);
      await waitForAll(page);
    }, 2 * HAPPENED_MS);
    afterAll(async () => {
      await page?.context().close();
      await at?.stop();
      rmSync(dir, { recursive: true, force: true });
    });

    if (means === MOUSE)
      it('nothing grave is found in any page, in light and in dark', () => lookByAxe(page, at), TEST_MS);

    it.each(
      Object.entries(ANSWERS).map(([table, answers]) => [table, answers.map(({ word }) => word).join(', ')]),
    )(
      'what has happened at table %s: %s',
      async (table) => {
        await putRight(page, means, table);
        const expected = Object.entries(EXPECTED).filter(([game]) => game.split('.')[0] === table);
        // The recorder derives games from what was entered, a moment later.
        await expect
          .poll(
            () => {
              const games = at.games();
              return expected.map(([game]) => {
                const { sans, result } = games.get(game) ?? {};
                return [game, { sans, result }];
              });
            },
            { timeout: 20_000 },
          )
          .toEqual(expected);
      },
      TEST_MS,
    );

    it('and nothing else: the list is empty, no other game is there, the page has not failed', async () => {
      await page.locator('.hall li.attention').first().waitFor({ state: 'detached' });
      const games = at.games();
      expect([...games.keys()].sort()).toEqual(Object.keys(EXPECTED).sort());
      expect(failures).toEqual([]);
      played.set(how, new Map([...games].map(([table, { pgn }]) => [table, timeless(pgn)])));
    });
  });

  it('comes to the same PGN by mouse and by keys', () => {
    expect(played.size).toBe(2);
    expect(played.get('by keys alone')).toEqual(played.get('by mouse'));
  });
});
