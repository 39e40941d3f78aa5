import { describe, expect, it } from 'vitest';
import { MachineDriver } from '../../../core/machine.ts';
import { createPhrases } from '../../../recorder/language/phrases.ts';
import type { DocumentChange } from '../../../recorder/publish/documents.ts';
import {
  PAGE_SCRIPT,
  pageFile,
  parsePageFile,
  SCREEN_BOARDS,
} from '../../../recorder/publish/public-pages.ts';
import {
  createPublication,
  type PublicationEvent,
  type PublicationOptions,
  SERVER_DOCUMENTS,
} from '../../../recorder/publish/publication.ts';
import { createSectionedPublication } from '../../../recorder/publish/sectioned-publication.ts';
import { eventOf, pairing, recorded } from './public-games.ts';

function open(options: PublicationOptions = {}) {
  const publication = createPublication({ documents: SERVER_DOCUMENTS, ...options });
  const driver = new MachineDriver<PublicationEvent, DocumentChange>(publication);
  return { publication, driver, page: (name: string) => publication.text(name) ?? '' };
}

/** Addresses that a page leads to. */
const linksOf = (page: string): string[] => [...page.matchAll(/href="([^"#]+)"/g)].map(([, to]) => to!);
/** How often a page is loaded again, and what comes then. */
const nextOf = (page: string): string | undefined => /http-equiv="refresh" content="([^"]+)"/.exec(page)?.[1];

describe('pages for everybody', () => {
  it('lead only to what is there, in every language', () => {
    const { publication, driver, page } = open();
    driver.feed({ type: 'event', atMs: 0, event: eventOf([pairing(1, 1), pairing(1, 2), pairing(2, 1)]) });
    driver.feed({ type: 'recorded', atMs: 5000, recorded: recorded('token1x1', ['e4', 'e5', 'Nf3']) });
    const pages = publication.names().filter((name) => name.endsWith('.html'));
    // Three languages: of the event; of two rounds each one of itself and one screen; two of each of three games.
    expect(pages).toHaveLength(3 * (1 + 2 * 2 + 3 * 2));
    for (const name of pages) {
      const text = page(name);
      expect([name, text.length > 0]).toEqual([name, true]);
      for (const link of linksOf(text)) {
        const to = new URL(link, `http://x/${name}`).pathname.slice(1);
        expect([name, to, publication.text(to) !== undefined]).toEqual([name, to, true]);
      }
    }
  });

  it('show the moves in the letters of the language, with the clocks', () => {
    const { driver, page } = open();
    driver.feed({ type: 'event', atMs: 0, event: eventOf([pairing(1, 1)]) });
    const clocks = [5_400_000, 5_399_000, 5_398_000];
    const game = recorded('token1x1', ['e4', 'e5', 'Nf3'], { clocks });
    driver.feed({ type: 'recorded', atMs: 60_000, recorded: game });
    expect(page('round-1/game-1.html')).toContain('>Nf3<');
    expect(page('round-1/game-1.html')).toContain('>1:29:58<');
    expect(page('round-1/game-1.ru.html')).toContain(`>${createPhrases('ru').move('Nf3')}<`);
    expect(page('round-1/game-1.ru.html')).not.toContain('>Nf3<');
    expect(page('round-1/embed-1.html')).toContain('2. Nf3');
  });

  it('know nothing that is younger than the delay, and nothing of what is withheld', () => {
    const { driver, page, publication } = open({ delay: { ms: 10_000, plies: 0 } });
    const all = () => publication.names().map(page).join();
    driver.feed({ type: 'event', atMs: 0, event: eventOf([pairing(1, 1)]) });
    driver.feed({ type: 'recorded', atMs: 1600, recorded: recorded('token1x1', ['d4', 'Nf6']) });
    driver.advance(9_999);
    expect(all()).not.toContain('d4');
    driver.advance(10_000);
    expect(page('round-1/game-1.html')).toContain('>d4<');
    expect(all()).not.toContain('Nf6');
    driver.feed({ type: 'holds', atMs: 10_001, holds: [{ scope: { type: 'all' }, sinceMs: 10_001 }] });
    driver.advance(99_000);
    expect(all()).not.toContain('Nf6');
    driver.feed({ type: 'holds', atMs: 99_001, holds: [] });
    expect(page('round-1/index.html')).toContain('Nf6');
    expect(page('index.html')).toContain('Nf6');
  });

  it('are loaded again while a game goes on, and not when all are over', () => {
    const { driver, page } = open();
    driver.feed({ type: 'event', atMs: 0, event: eventOf([pairing(1, 1)]) });
    expect(nextOf(page('round-1/index.html'))).toBe('15');
    const over = recorded('token1x1', ['f3', 'e5', 'g4', 'Qh4#'], { result: '0-1' });
    driver.feed({ type: 'recorded', atMs: 60_000, recorded: over });
    expect(nextOf(page('round-1/game-1.html'))).toBeUndefined();
    expect(page('round-1/game-1.html')).toContain('0-1');
  });

  it('follow each other on a projector', () => {
    const { driver, page, publication } = open();
    const games = Array.from({ length: SCREEN_BOARDS + 1 }, (_, i) => pairing(1, i + 1));
    driver.feed({ type: 'event', atMs: 0, event: eventOf(games) });
    expect(nextOf(page('round-1/screen-1.ru.html'))).toMatch(/;url=screen-2\.ru\.html$/);
    expect(nextOf(page('round-1/screen-2.html'))).toMatch(/;url=screen-1\.html$/);
    expect(publication.text('round-1/screen-3.html')).toBeUndefined();
    const boards = (name: string) => page(name).split('<svg').length - 1;
    expect([boards('round-1/screen-1.html'), boards('round-1/screen-2.html')]).toEqual([SCREEN_BOARDS, 1]);
  });

  it('take names as text', () => {
    const { driver, page, publication } = open();
    const White = '<script>alert(1)</script>" onload="x';
    const event = eventOf([pairing(1, 1, { tags: { White, Black: 'B' } })], { name: '<b>Open</b>' });
    driver.feed({ type: 'event', atMs: 0, event });
    for (const name of publication.names().filter((known) => known.endsWith('.html'))) {
      // Its own script is the only one.
      expect(page(name).replace(`<script>${PAGE_SCRIPT}</script>`, '')).not.toMatch(
        /<script|<b>Open|" onload/,
      );
      expect(page(name)).toContain('&lt;script&gt;');
    }
  });

  it('are found from a page above where sections have folders', () => {
    const publication = createSectionedPublication({ documents: SERVER_DOCUMENTS });
    const event = eventOf([pairing(1, 1)], { name: 'Open A' });
    publication.step({ type: 'event', atMs: 0, section: 'A', event });
    publication.step({ type: 'event', atMs: 0, section: 'B', event: { ...event, name: 'Open B' } });
    const links = linksOf(publication.text('index.be.html')!);
    expect(links).toHaveLength(2);
    for (const link of links) expect([link, publication.text(link)?.includes('Open')]).toEqual([link, true]);
    const bare = createSectionedPublication();
    bare.step({ type: 'event', atMs: 0, section: 'A', event });
    expect(bare.text('index.html')).toBeUndefined();
  });

  it('have names that are read back, and no others', () => {
    for (const name of ['index.html', 'game-12.ru.html', 'embed-1.be.html', 'screen-2.html']) {
      const parsed = parsePageFile(name)!;
      expect(pageFile(parsed.page, parsed.language)).toBe(name);
    }
    for (const name of [
      'index-1.html',
      'game.html',
      'game-1.en.html',
      'game-1.xx.html',
      'game-1.html.html',
      '.html',
    ])
      expect([name, parsePageFile(name)]).toEqual([name, undefined]);
  });
});
