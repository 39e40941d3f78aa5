/// <reference lib="dom" />
/** The setup page in a real browser: boards to tables by mouse, by keys and by a lifted king; pairings; what is withheld; a swap. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPage } from '../../recorder/desk/page-files.ts';
import { findBrowser, openBrowser } from '../recorder/desk/browser.ts';
import { type Rehearsal, rehearse } from '../recorder/desk/desk-rehearsal.ts';

const executable = findBrowser();
if (executable === undefined)
  console.warn('no Chromium on this system: the setup page is not tried in a browser');

/** Boards of the rehearsal that stand at no table. */
const [SPARE, OTHER_SPARE] = ['dgt-20113', 'dgt-20114'];
const ROUND_2 = '[Event "Demo"]\n[Round "2.1"]\n[White "New, Nadia"]\n[Black "Other, Oleg"]\n\n*\n';
const TEST_MS = 600_000;

const table = (page: Page, number: number) => page.locator(`.tables li[data-table="${number}"]`);
const boardAt = (page: Page, number: number) => table(page, number).locator('.chip');

describe.skipIf(executable === undefined)('the setup page in a browser', () => {
  let browser: Browser;
  let pageDir: string;
  let dir: string;
  let at: Rehearsal;
  let page: Page;
  const failures: string[] = [];
  beforeAll(async () => {
    pageDir = mkdtempSync(join(tmpdir(), 'jadoube-page-'));
    await buildPage(pageDir);
    browser = await openBrowser(executable!);
    // One rehearsal for all of it, each step after the one before.
    dir = mkdtempSync(join(tmpdir(), 'jadoube-setup-'));
    at = await rehearse(pageDir, 3, dir);
    page = await (
      await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } })
    ).newPage();
    page.setDefaultTimeout(120_000);
    page.on('pageerror', (error) => failures.push(String(error)));
    await page.goto(`${at.url}/#/setup`);
    // Boards are there one after the other.
    await page.locator('tr[data-board]').nth(13).waitFor();
  }, TEST_MS);
  afterAll(async () => {
    await at?.stop();
    await browser?.close();
    for (const folder of [pageDir, dir])
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }, 120_000);

  it(
    'takes a board to a table with the mouse, and a name to sign with',
    async () => {
      await page.locator(`.free-boards .chip[data-board="${SPARE}"]`).dragTo(table(page, 1));
      await page.locator('#sign-name').fill('Olga Operator');
      await page.locator('dialog button[type=submit]').click();
      await boardAt(page, 1).getByText(SPARE).waitFor();
      // Where it stood before, nobody stands now.
      await page.locator('.free-boards .chip[data-board="dgt-20101"]').waitFor();
      // And back with the mouse, among those without a table.
      await boardAt(page, 1).dragTo(page.locator('.free-boards'));
      await page.locator(`.free-boards .chip[data-board="${SPARE}"]`).waitFor();
    },
    TEST_MS,
  );

  it(
    'takes a board to a table by keys alone',
    async () => {
      const select = table(page, 1).locator('select');
      await select.focus();
      await page.keyboard.press('End');
      await expect.poll(() => select.inputValue()).toBe(OTHER_SPARE);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await boardAt(page, 1).getByText(OTHER_SPARE).waitFor();
    },
    TEST_MS,
  );

  it(
    'finds the board that is meant by a lifted king',
    async () => {
      await table(page, 2).locator('[data-do="lift-king"]').click();
      await page.locator(`tr[data-board="${SPARE}"] [data-do="simulate-king"]`).click();
      await boardAt(page, 2).getByText(SPARE).waitFor();
    },
    TEST_MS,
  );

  it(
    'shows what a list of pairings would change before it does',
    async () => {
      await page.locator('#import-file').setInputFiles({
        name: 'round-2.pgn',
        mimeType: 'application/x-chess-pgn',
        buffer: Buffer.from(ROUND_2),
      });
      await page.locator('#import-look').click();
      await page.locator('.preview [data-change="pairing-added"]').getByText('New, Nadia').waitFor();
      expect(await page.locator('#setup-round option').allTextContents()).toEqual(['1']);
      await page.locator('.preview [data-do="make"]').click();
      await page.locator('#setup-round option').nth(1).waitFor({ state: 'attached' });
      await page.locator('#setup-round').selectOption('2');
      await table(page, 1).getByText('Other, Oleg').waitFor();
    },
    TEST_MS,
  );

  it(
    'withholds everything, marks it in the hall, and lets it go',
    async () => {
      await page.locator('#hold-all').click();
      await page.locator('.banner.held').waitFor();
      await page.goto(`${at.url}/#/`);
      await page.locator('.card .extra[title="publication of all games held"]').nth(11).waitFor();
      await page.goto(`${at.url}/#/setup`);
      await page.locator('.holds button').click();
      await page.locator('.banner.held').waitFor({ state: 'detached' });
    },
    TEST_MS,
  );

  it(
    'lets a game go on at another board from the game page',
    async () => {
      const { id } = at.games().get('5')!;
      await page.goto(`${at.url}/#/game/${id}`);
      const form = page.locator('form[data-decision="swap"]');
      await form.locator('button[type=submit]').click();
      await form.locator('select').selectOption('dgt-20101');
      await form.locator('button[type=submit]').click();
      await form.locator('.preview [data-do="make"]').click();
      await form.locator('.preview [data-change="assigned"]').getByText('dgt-20101').waitFor();
      await page.goto(`${at.url}/#/setup`);
      await page.locator('#setup-round').selectOption('1');
      await boardAt(page, 5).getByText('dgt-20101').waitFor();
    },
    TEST_MS,
  );

  it(
    'has no serious finding by axe, and nothing wider than a phone',
    async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      for (const theme of ['light', 'dark']) {
        await page.locator('#theme').selectOption(theme);
        const { violations } = await new AxeBuilder({ page }).analyze();
        const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        expect(grave.map(({ id, nodes }) => `${theme} ${id} ${nodes[0]?.html.slice(0, 150)}`)).toEqual([]);
      }
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBe(0);
      expect(failures).toEqual([]);
    },
    TEST_MS,
  );
});
