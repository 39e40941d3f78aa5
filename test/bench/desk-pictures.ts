/// <reference lib="dom" />
/** Takes the pictures of the desk for its README, from its rehearsal: hall, game and setup, at desktop and phone width. */
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPage } from '../../recorder/desk/page-files.ts';
import { findBrowser, openBrowser } from '../recorder/desk/browser.ts';
import { rehearse } from '../recorder/desk/desk-rehearsal.ts';

const OUT = join(import.meta.dirname, '../../recorder/desk/pictures');
const WAIT_MS = 240_000;
const SIZES = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } } as const;

const executable = findBrowser();
if (executable === undefined) throw new Error('no Chromium on this system');
await mkdir(OUT, { recursive: true });
const at = await rehearse(await findPage(), 3, await mkdtemp(join(tmpdir(), 'jadoube-pictures-')));
const browser = await openBrowser(executable);
try {
  for (const [size, viewport] of Object.entries(SIZES)) {
    const context = await browser.newContext({ locale: 'en-GB', viewport, colorScheme: 'light' });
    const page = await context.newPage();
    // A machine that has other work takes its time.
    page.setDefaultTimeout(WAIT_MS);
    await page.goto(at.url);
    await page.waitForFunction(
      () => document.querySelectorAll('.hall li.attention').length >= 11,
      undefined,
      {
        timeout: WAIT_MS,
      },
    );
    const game = at.games().get('4')!.id;
    for (const [name, path] of [
      ['hall', '#/'],
      ['game', `#/game/${game}`],
      ['setup', '#/setup'],
      ['claim', `#/claim/${at.games().get('8')!.id}`],
    ] as const) {
      await page.goto(`${at.url}/${path}`);
      await page
        .locator(name === 'setup' ? 'tr[data-board]' : 'main h1')
        .first()
        .waitFor({ state: 'attached' });
      await page.evaluate(() => document.fonts.ready);
      await page.screenshot({ path: join(OUT, `${name}-${size}.png`) });
    }
    await context.close();
  }
} finally {
  await browser.close();
  await at.stop();
}
