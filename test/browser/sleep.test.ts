/// <reference lib="dom" />
/** A page that slept, or had no network, shows what the server shows, without being loaded again. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPage } from '../../recorder/desk/page-files.ts';
import { findBrowser, openBrowser } from '../recorder/desk/browser.ts';
import { type Rehearsal, rehearse } from '../recorder/desk/desk-rehearsal.ts';

const executable = findBrowser();
if (executable === undefined) console.warn('no Chromium on this system: no page is put to sleep');

const TEST_MS = 300_000;
const WAIT = { timeout: 120_000, interval: 500 };
/** Plies that are played while nobody looks. */
const UNSEEN_PLIES = 6;

/** What the hall says of each board but its clocks, which tick. */
const shownBy = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.boards .card-link')].map((card) =>
      [
        (card as HTMLElement).dataset.board,
        card.querySelector('.last')?.textContent,
        card.querySelector('.card-head')?.textContent,
      ].join(' | '),
    ),
  );

const pliesOf = (at: Rehearsal): number =>
  [...at.games().values()].reduce((sum, { sans }) => sum + sans.split(' ').filter(Boolean).length, 0);

describe.skipIf(executable === undefined)('a page that slept', () => {
  let browser: Browser;
  let context: BrowserContext;
  let pageDir: string;
  let dir: string;
  let at: Rehearsal;
  beforeAll(async () => {
    pageDir = mkdtempSync(join(tmpdir(), 'jadoube-page-'));
    await buildPage(pageDir);
    browser = await openBrowser(executable!);
  }, TEST_MS);
  afterAll(async () => {
    await browser?.close();
    rmSync(pageDir, { recursive: true, force: true });
  });

  it.each([
    [
      'frozen by its browser',
      async (page: Page) => {
        const session = await context.newCDPSession(page);
        await session.send('Page.setWebLifecycleState', { state: 'frozen' });
        return () => session.send('Page.setWebLifecycleState', { state: 'active' });
      },
    ],
    [
      'without a network',
      async () => {
        await context.setOffline(true);
        return () => context.setOffline(false);
      },
    ],
  ] as const)(
    'catches up without being loaded again: %s',
    async (_, sleep) => {
      dir = mkdtempSync(join(tmpdir(), 'jadoube-sleep-'));
      context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } });
      at = await rehearse(pageDir, 2, dir);
      try {
        const page = await context.newPage();
        await page.goto(at.url);
        await page.evaluate(() => {
          (globalThis as { isSame?: boolean }).isSame = true;
        });
        await expect.poll(() => pliesOf(at), WAIT).toBeGreaterThan(0);
        await page.locator('.boards .card-link').nth(13).waitFor({ timeout: WAIT.timeout });
        const wake = await sleep(page);
        const before = pliesOf(at);
        await expect.poll(() => pliesOf(at), WAIT).toBeGreaterThanOrEqual(before + UNSEEN_PLIES);
        await wake();
        // Whoever comes now is shown everything; another browser, as nothing of the first is to help it.
        const other = await (
          await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } })
        ).newPage();
        await other.goto(at.url);
        await other.locator('.boards .card-link').nth(13).waitFor({ timeout: WAIT.timeout });
        await expect
          .poll(async () => {
            const [slept, fresh] = await Promise.all([shownBy(page), shownBy(other)]);
            return slept.filter((line) => !fresh.includes(line));
          }, WAIT)
          .toEqual([]);
        expect(await page.evaluate(() => (globalThis as { isSame?: boolean }).isSame)).toBe(true);
        await other.context().close();
      } finally {
        await context.close();
        await at.stop();
        rmSync(dir, { recursive: true, force: true });
      }
    },
    TEST_MS,
  );
});
