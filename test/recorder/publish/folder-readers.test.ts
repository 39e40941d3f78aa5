import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastValueFrom, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { MachineDriver } from '../../../core/machine.ts';
import { parsePgn } from '../../../recorder/pgn/reader.ts';
import { type DocumentChange, deliver } from '../../../recorder/publish/documents.ts';
import { createFolderPlace } from '../../../recorder/publish/folder-place.ts';
import { createPublication, type PublicationEvent } from '../../../recorder/publish/publication.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { eventOf, pairing, recorded } from './public-games.ts';

const BOARDS = 100;
const MOVES = ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6'];

describe('a folder of a hundred boards', () => {
  it('never shows half a file to whoever reads it again and again', { timeout: 120_000 }, async () => {
    const dir = temporaryFolder();
    const publication = createPublication();
    const driver = new MachineDriver<PublicationEvent, DocumentChange>(publication);
    const changes = new Subject<DocumentChange>();
    const feed = (event: PublicationEvent): void => {
      for (const change of driver.feed(event)) changes.next(change);
    };
    let isDone = false;
    const written = lastValueFrom(changes.pipe(deliver(createFolderPlace(dir), { everyMs: 1 })), {
      defaultValue: undefined,
    }).then(() => {
      isDone = true;
    });
    const boards = Array.from({ length: BOARDS }, (_, i) => i + 1);
    feed({ type: 'event', atMs: 0, event: eventOf(boards.map((board) => pairing(1, board))) });

    let [reads, combined] = [0, 0];
    const round = join(dir, 'round-1');
    const look = (): void => {
      let names: string[] = [];
      try {
        names = readdirSync(round);
      } catch {
        return;
      }
      for (const name of names.filter((one) => /\.(pgn|json)$/.test(one))) {
        const text = readFileSync(join(round, name), 'utf8');
        reads++;
        if (name === 'index.json') expect(JSON.parse(text).pairings).toHaveLength(BOARDS);
        else if (name !== 'games.pgn') expect(text).toMatch(/^\[Event [\s\S]*\n\n[^[]*\*\n$/);
        else {
          combined++;
          expect(text.match(/^\[Event /gm)).toHaveLength(BOARDS);
          expect(text.match(/\*\n(\n|$)/g)).toHaveLength(BOARDS);
        }
      }
    };
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    for (let ply = 1; ply <= MOVES.length; ply++) {
      for (const board of boards) {
        feed({
          type: 'recorded',
          atMs: ply * 1000,
          recorded: recorded(`token1x${board}`, MOVES.slice(0, ply)),
        });
        if (board % 20 === 0) await turn();
      }
      look();
    }
    changes.complete();
    while (!isDone) {
      look();
      await turn();
    }
    await written;
    look();
    expect([reads > 5 * BOARDS, combined > 5]).toEqual([true, true]);
    const games = parsePgn(readFileSync(join(round, 'games.pgn'), 'utf8'));
    expect(games.map(({ plies }) => plies.length)).toEqual(boards.map(() => MOVES.length));
    expect(readdirSync(round).filter((name) => !/\.(pgn|json)$/.test(name))).toEqual([]);
  });
});
