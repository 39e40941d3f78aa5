/// <reference lib="dom" />
/** What the public sees, in a real browser: no serious finding by axe, nothing that overflows, and what is new comes by itself. */

import AxeBuilder from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { lastValueFrom, Subject, takeUntil, tap } from 'rxjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../recorder/http/create-app.ts';
import { serveApp$ } from '../../recorder/http/serve-app.ts';
import { createPublication, SERVER_DOCUMENTS } from '../../recorder/publish/publication.ts';
import { mountSite } from '../../recorder/publish/published-http.ts';
import { findBrowser, openBrowser } from '../recorder/desk/browser.ts';
import { eventOf, pairing, recorded } from '../recorder/publish/public-games.ts';

const executable = findBrowser();
if (executable === undefined)
  console.warn('no Chromium on this system: public pages are not tried in a browser');

const PAGES = ['round-1/index.html', 'round-1/game-1.html', 'round-1/embed-1.html', 'round-1/screen-1.html'];
const TABLES = 14;

describe.skipIf(executable === undefined)('public pages in a browser', () => {
  let browser: Browser;
  let url = '';
  const stop = new Subject<void>();
  let served: Promise<unknown>;
  const publication = createPublication({ documents: SERVER_DOCUMENTS });

  beforeAll(async () => {
    browser = await openBrowser(executable!);
    const games = Array.from({ length: TABLES }, (_, i) => pairing(1, i + 1));
    publication.step({ type: 'event', atMs: 0, event: eventOf(games) });
    publication.step({ type: 'recorded', atMs: 5000, recorded: recorded('token1x1', ['e4', 'e5', 'Nf3']) });
    await new Promise<void>((resolve) => {
      served = lastValueFrom(
        serveApp$(
          async () => {
            const app = await createApp({ hosts: 'any' });
            await mountSite(app, { path: '/live', text: publication.text });
            return app;
          },
          { host: '127.0.0.1', port: 0 },
        ).pipe(
          tap((at) => {
            url = `${at.url}/live`;
            resolve();
          }),
          takeUntil(stop),
        ),
        { defaultValue: undefined },
      );
    });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    stop.next();
    await served;
  }, 120_000);

  const open = async (
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<[Page, string[], BrowserContext]> => {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const failures: string[] = [];
    page.on('pageerror', (error) => failures.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') failures.push(message.text());
    });
    return [page, failures, context];
  };

  it.each(
    (['light', 'dark'] as const).flatMap((colorScheme) =>
      [1280, 390].map((width) => [colorScheme, width] as const),
    ),
  )(
    'have no serious finding and nothing wider than the screen: %s, %i pixels',
    async (colorScheme, width) => {
      const [page, failures, context] = await open({ colorScheme, viewport: { width, height: 800 } });
      for (const path of PAGES) {
        await page.goto(`${url}/${path}`);
        const { violations } = await new AxeBuilder({ page }).analyze();
        const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        expect([path, grave.map(({ id, nodes }) => `${id} ${nodes[0]?.html.slice(0, 150)}`)]).toEqual([
          path,
          [],
        ]);
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect([path, overflow]).toEqual([path, 0]);
      }
      expect(failures).toEqual([]);
      await context.close();
    },
    180_000,
  );

  it('show what is new by themselves, and what they showed while the server cannot be reached', async () => {
    const [page, failures, context] = await open();
    await page.clock.install();
    await page.goto(`${url}/round-1/game-1.html`);
    await page.locator('.one .last').getByText('Nf3').waitFor();
    await page.locator('nav a').first().focus();
    publication.step({
      type: 'recorded',
      atMs: 9000,
      recorded: recorded('token1x1', ['e4', 'e5', 'Nf3', 'Nc6']),
    });
    await page.clock.fastForward(16_000);
    await page.locator('.one .last').getByText('Nc6').waitFor();
    // Whoever walks through the page by keys stays where they are.
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('A');
    expect(failures).toEqual([]);
    await context.setOffline(true);
    await page.clock.fastForward(16_000);
    await page.clock.fastForward(16_000);
    expect(await page.locator('.one span.last').textContent()).toContain('Nc6');
    await context.setOffline(false);
    publication.step({
      type: 'recorded',
      atMs: 12_000,
      recorded: recorded('token1x1', ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5']),
    });
    await page.clock.fastForward(16_000);
    await page.locator('.one .last').getByText('Bb5').waitFor();
    await context.close();
  }, 120_000);

  it('go from screen to screen for a projector, and round again', async () => {
    const [page, failures, context] = await open({ viewport: { width: 1920, height: 1080 } });
    await page.clock.install();
    await page.goto(`${url}/round-1/screen-1.html`);
    const boards = () => page.locator('.screen li').count();
    expect(await boards()).toBe(12);
    // Twelve boards stand on one screen, whole.
    expect(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight)).toBe(true);
    const lowest = await page
      .locator('.screen li')
      .evaluateAll((items) => Math.max(...items.map((item) => item.getBoundingClientRect().bottom)));
    expect(lowest).toBeLessThanOrEqual(1080);
    await page.clock.fastForward(13_000);
    await page.waitForFunction(() => document.querySelectorAll('.screen li').length === 2);
    await page.clock.fastForward(13_000);
    await page.waitForFunction(() => document.querySelectorAll('.screen li').length === 12);
    expect(failures).toEqual([]);
    await context.close();
  }, 120_000);
});
