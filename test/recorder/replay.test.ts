import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isFaultCode } from '../../core/board-error.ts';
import { START_FEN } from '../../core/position.ts';
import { parsePgn } from '../../recorder/pgn/reader.ts';
import { makePgn } from '../../recorder/pgn/writer.ts';
import { deriveFile } from '../../recorder/replay/derive-file.ts';
import { dumpBytes } from './dgt-bytes.ts';
import { boardBytes, hexOf, joinBytes, linesOf, makeFile, replay } from './replay-files.ts';
import { temporaryFolder } from './temporary-folder.ts';

const OPEN = ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6'];
const MATE = ['f3', 'e5', 'g4', 'Qh4#'];
const HEADER = { jadoube: 1, board: 'dgt', startedAt: '2031-01-02T03:04:05.678Z' };

/** A capture of a game: a message every 400 ms. */
function captureOf(messages: readonly Uint8Array[], header: object = HEADER): string {
  const lines = messages.map((bytes, i) => JSON.stringify({ t: i * 400, rx: hexOf(bytes) }));
  return `${[JSON.stringify(header), ...lines].join('\n')}\n`;
}

/** The code that a line on standard error begins with. */
const codeOf = (err: string): string => err.split(':')[0]!;

describe('one line of replay --json', () => {
  it('holds what other tools rely on, and of every ply and flag the fields they rely on', async () => {
    const file = makeFile(
      'game.trace',
      'fen: start\nev: -e2 +e4=P CW -e7 +e5=p CB ~3000 CW ~2000 -g1 +f3=N\n',
    );
    const { status, out, err } = await replay([file]);
    expect([status, err]).toEqual([0, '']);
    expect(out.endsWith('\n')).toBe(true);
    expect(out.split('\n')).toHaveLength(2);
    const [line] = linesOf(out);
    expect(Object.keys(line!)).toEqual([
      'file',
      'game',
      'variant',
      'start',
      'moves',
      'plies',
      'flags',
      'result',
      'orientation',
      'placement',
      'inSync',
    ]);
    expect(line).toMatchObject({
      file,
      game: 1,
      variant: 'standard',
      start: START_FEN,
      moves: ['e4', 'e5', 'Nf3'],
      result: '*',
      orientation: 'normal',
      placement: 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R',
      inSync: true,
    });
    for (const ply of line!.plies) {
      expect(Object.keys(ply).slice(0, 6)).toEqual([
        'san',
        'uci',
        'state',
        'madeAtMs',
        'completedAtMs',
        'clockMs',
      ]);
      expect(['provisional', 'ambiguous', 'confirmed', 'settled']).toContain(ply.state);
    }
    expect(line!.plies.map((ply) => ply.san)).toEqual(line!.moves);
    expect(line!.plies[0]).toEqual({
      san: 'e4',
      uci: 'e2e4',
      state: 'settled',
      madeAtMs: 120,
      completedAtMs: 240,
      clockMs: null,
    });
    expect(line!.flags.length).toBeGreaterThan(1);
    for (const flag of line!.flags) {
      expect(Object.keys(flag).slice(0, 4)).toEqual(['code', 'severity', 'ply', 'atMs']);
      expect(['info', 'notice', 'warning', 'alarm']).toContain(flag.severity);
    }
    expect(line!.flags).toContainEqual(
      expect.objectContaining({ code: 'PRESSED_WITHOUT_MOVE', severity: 'alarm' }),
    );
  });

  it('writes an illegal move that stands with an exclamation mark, and its result in the code of the flag', async () => {
    const illegal = makeFile('illegal.trace', 'fen: 4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1\nev: -c3 +e4=N CW\n');
    const kings = makeFile(
      'kings.trace',
      'fen: 4k3/8/8/8/8/8/8/4K3 w - - 0 1\nev: -e1 -e8 +e4=K +d5=k ~6000\n',
    );
    const [first, second] = linesOf((await replay([illegal, kings])).out);
    expect(first).toMatchObject({ moves: ['!c3e4'], plies: [{ san: '!c3e4', uci: 'c3e4' }] });
    expect(second).toMatchObject({ result: '1-0', inSync: false });
    expect(second!.flags.map((flag) => flag.code)).toContain('RESULT(1-0)');
  });

  it('writes castling as the king takes the rook in Chess960 and as its step in standard chess', async () => {
    const moves = 'ev: -e1 +g1=K -h1 +f1=R CW';
    const standard = makeFile('a.trace', `fen: 4k3/8/8/8/8/8/8/4K2R w K - 0 1\n${moves}\n`);
    const chess960 = makeFile('b.trace', `fen: 4k3/8/8/8/8/8/8/4K2R w H - 0 1\nv960: yes\n${moves}\n`);
    const lines = linesOf((await replay([standard, chess960])).out);
    expect(lines.map((line) => [line.variant, line.moves[0], line.plies[0]!.uci])).toEqual([
      ['standard', 'O-O', 'e1g1'],
      ['chess960', 'O-O', 'e1h1'],
    ]);
  });

  it('writes what stands on the board in true coordinates when the board is turned', async () => {
    const turned = makeFile(
      'turned.trace',
      'fen: start\nrot: yes\nev: D=RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr -d7 +d5=P CW\n',
    );
    const [line] = linesOf((await replay([turned])).out);
    expect(line).toMatchObject({
      moves: ['e4'],
      orientation: 'rotated',
      placement: 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR',
      inSync: true,
    });
  });

  it('tells the candidates of a ply that is not certain', async () => {
    const gap = makeFile(
      'gap.trace',
      'fen: start\nev: D=rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R\n',
    );
    const [line] = linesOf((await replay([gap])).out);
    expect(line!.plies[0]!.candidates).toHaveLength(2);
    expect(line!.flags.map((flag) => flag.code)).toContain('AMBIGUOUS(2)');
  });
});

describe('replay', () => {
  it('gives every game of a file a line, and files in the order given', async () => {
    const two = makeFile(
      'two.trace',
      'fen: 4k3/8/8/8/8/8/P7/4K3 w - - 0 1\nev: -e1 -e8 +e4=K +d5=k ~6000 -e4 -d5 +e1=K +e8=k ~3000 -a2 +a4=P CW\n',
    );
    const one = makeFile('one.bin', joinBytes(boardBytes(OPEN)));
    const { status, out } = await replay([two, one, two]);
    expect(status).toBe(0);
    expect(linesOf(out).map((line) => [basename(line.file), line.game, line.moves.length])).toEqual([
      ['two.trace', 1, 0],
      ['two.trace', 2, 1],
      ['one.bin', 1, 6],
      ['two.trace', 1, 0],
      ['two.trace', 2, 1],
    ]);
  });

  it('says nothing and is content with a file in which nothing happens', async () => {
    const empty = [makeFile('empty.bin', ''), makeFile('empty.trace', '')];
    expect(await replay(empty)).toEqual({ status: 0, out: '', err: '' });
    const capture = makeFile('empty.ndjson', `${JSON.stringify(HEADER)}\n`);
    expect(await replay([capture])).toEqual({ status: 0, out: '', err: '' });
  });

  it.each([
    ['notes.txt', 'e4 e5', 'FILE_KIND'],
    ['game', 'e4 e5', 'FILE_KIND'],
    ['game.pgn', '1. e4 *', 'FILE_KIND'],
    ['game.trace', 'ev: -e2 +e9=P', 'TRACE_SYNTAX'],
    ['game.trace', 'no colon here', 'TRACE_SYNTAX'],
    ['game.trace', 'fen: nonsense\nev: -e2', 'FEN_SYNTAX'],
    ['game.trace', 'fen: 8/8/8/8/8/8/8/8 w - - 0 1\nev: -e2', 'FEN_ILLEGAL'],
    ['game.ndjson', 'e4 e5\n', 'CAPTURE_SYNTAX'],
    ['game.ndjson', '', 'CAPTURE_SYNTAX'],
    ['game.ndjson', '{"jadoube":2,"board":"dgt","startedAt":"x"}\n', 'CAPTURE_SYNTAX'],
    ['game.ndjson', '{"jadoube":1,"board":"ouija","startedAt":"x"}\n', 'BOARD_UNKNOWN'],
    ['game.ndjson', '{"jadoube":1,"board":"dgt","startedAt":"x","fen":"nonsense"}\n', 'FEN_SYNTAX'],
    ['game.ndjson', '{"jadoube":1,"board":"dgt","startedAt":"x","variant":"suicide"}\n', 'CAPTURE_SYNTAX'],
    ['game.ndjson', `${JSON.stringify(HEADER)}\n{"t":0,"rx":"zz"}\n`, 'CAPTURE_SYNTAX'],
  ])('refuses %s that holds %j by the code %s, with status 2', async (name, content, code) => {
    const file = makeFile(name, content);
    const { status, out, err } = await replay([file]);
    expect([status, out, codeOf(err)]).toEqual([2, '', code]);
    expect(err).toContain(file);
  });

  it('refuses a file that is not there, and one that is a folder', async () => {
    const folder = join(temporaryFolder(), 'folder.trace');
    mkdirSync(folder);
    for (const file of [join(temporaryFolder(), 'gone.trace'), folder]) {
      const { status, out, err } = await replay([file]);
      expect([status, out, codeOf(err)]).toEqual([2, '', 'FILE_UNREADABLE']);
      expect(isFaultCode(codeOf(err))).toBe(true);
      expect(err).toContain(file);
    }
  });

  it('replays the other files when one cannot be read, with status 2', async () => {
    const good = makeFile('good.trace', 'fen: start\nev: -e2 +e4=P CW\n');
    const bad = makeFile('bad.trace', 'ev: nonsense\n');
    for (const files of [
      [bad, good],
      [good, bad],
      [good, 'gone.trace'],
    ]) {
      const { status, out, err } = await replay(files);
      expect(status).toBe(2);
      expect(linesOf(out).map((line) => line.moves)).toEqual([['e4']]);
      expect(err.trimEnd().split('\n').length).toBeGreaterThan(0);
    }
  });
});

describe('raw bytes', () => {
  const bytes = joinBytes(boardBytes(MATE));

  it('are taken from the kind of board that is named, or the only one there is', async () => {
    const file = makeFile('game.bin', bytes);
    for (const options of [{ json: true }, { json: true, board: 'dgt' }]) {
      const { status, out } = await replay([file], options);
      expect(status).toBe(0);
      expect(linesOf(out)[0]).toMatchObject({ moves: MATE, result: '0-1' });
    }
    const unknown = await replay([file], { json: true, board: 'ouija' });
    expect([unknown.status, unknown.out, codeOf(unknown.err)]).toEqual([2, '', 'BOARD_UNKNOWN']);
  });

  it('that belong to no message are left out and said', async () => {
    const file = makeFile('game.bin', joinBytes([Uint8Array.of(0x11, 0x22, 0x33), bytes]));
    const { status, out, err } = await replay([file]);
    expect(status).toBe(0);
    expect(linesOf(out)[0]?.moves).toEqual(MATE);
    expect(err).toContain(file);
    expect(err).toMatch(/\b3 bytes\b/);
  });

  it('that end in the middle of a message give all before it', async () => {
    const file = makeFile('game.bin', bytes.subarray(0, bytes.length - 2));
    const { status, out } = await replay([file]);
    expect(status).toBe(0);
    expect(linesOf(out)[0]?.moves).toEqual(MATE.slice(0, 3));
  });

  it('are timed by the clock on the table, a second a second', () => {
    const clock = (seconds: number, lever: 'left' | 'right'): Uint8Array => {
      const s = ((Math.floor(seconds / 10) % 6) << 4) | (seconds % 10);
      const side = [0x20, 0x04, s];
      const rest = [0x20, 0x04, 0x00];
      return Uint8Array.from(
        lever === 'left' ? [0x8d, 0, 10, ...rest, ...side, 0x09] : [0x8d, 0, 10, ...side, ...rest, 0x13],
      );
    };
    const [dump, ...moves] = boardBytes(['e4']);
    const stream = joinBytes([dump!, clock(50, 'left'), clock(47, 'left'), ...moves, clock(42, 'left')]);
    const derived = deriveFile('game.bin', stream, 'dgt');
    if (!derived.ok) throw new Error(derived.fault.message);
    const [game] = derived.value.games;
    const [ply] = game!.plies;
    expect(ply?.san).toBe('e4');
    expect(ply!.madeAtMs).toBeGreaterThan(3000);
    expect(ply!.madeAtMs).toBeLessThan(8100);
    expect([game!.whiteMs, game!.blackMs]).toEqual([4 * 60_000 + 42_000, 4 * 60_000]);
  });
});

describe('captures', () => {
  const messages = boardBytes(OPEN);

  it('give the same game however bytes are cut and however they are written', async () => {
    const bytes = joinBytes(messages);
    const writings = [1, 2, 3, 5, 64, bytes.length].flatMap((size) => {
      const chunks: string[] = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(hexOf(bytes.subarray(at, at + size)));
      return [
        chunks.map((rx, i) => JSON.stringify({ t: i * 40, rx })),
        chunks.map((rx, i) => JSON.stringify({ t: i * 40, rx: rx.toUpperCase().replace(/(..)/g, '$1 ') })),
      ];
    });
    for (const lines of writings) {
      const file = makeFile('game.ndjson', `${[JSON.stringify(HEADER), ...lines].join('\n')}\n`);
      const { status, out, err } = await replay([file]);
      expect([status, err]).toEqual([0, '']);
      expect(linesOf(out)[0]?.moves).toEqual(OPEN);
    }
  });

  it('that were written on another system, with empty lines and a mark of byte order, are read', async () => {
    const text = `\ufeff${captureOf(messages).replace(/\n/g, '\r\n')}\r\n\r\n`;
    const { status, out } = await replay([makeFile('game.ndjson', text)]);
    expect(status).toBe(0);
    expect(linesOf(out)[0]?.moves).toEqual(OPEN);
  });

  it('are read without their last line when it was cut off, and that is said', async () => {
    const whole = captureOf(messages);
    for (const cut of [1, 5, 12]) {
      const file = makeFile('game.ndjson', whole.slice(0, whole.length - 1 - cut));
      const { status, out, err } = await replay([file]);
      expect(status).toBe(0);
      expect(linesOf(out)[0]?.moves).toEqual(OPEN.slice(0, 5));
      expect(err).toContain(file);
      expect(err.trim().split('\n')).toHaveLength(1);
    }
  });

  it('are read whole when only the last line end is missing', async () => {
    const { status, out, err } = await replay([makeFile('game.ndjson', captureOf(messages).trimEnd())]);
    expect([status, err]).toEqual([0, '']);
    expect(linesOf(out)[0]?.moves).toEqual(OPEN);
  });

  it('are refused when a line before the last is broken, and the line is named', async () => {
    const lines = captureOf(messages).split('\n');
    lines[3] = lines[3]!.slice(0, 9);
    const { status, out, err } = await replay([makeFile('game.ndjson', lines.join('\n'))]);
    expect([status, out, codeOf(err)]).toEqual([2, '', 'CAPTURE_SYNTAX']);
    expect(err).toMatch(/\b4\b/);
  });

  it('do not take what was sent to the board for what came from it', async () => {
    const [first, ...rest] = captureOf(messages).split('\n');
    const text = [first, '{"t":0,"tx":"42"}', '{"t":0,"tx":"8e00050c00"}', ...rest].join('\n');
    const { out } = await replay([makeFile('game.ndjson', text)]);
    expect(linesOf(out)[0]?.moves).toEqual(OPEN);
  });

  it('tell of a link that was lost, and begin a new message behind it', async () => {
    const before = boardBytes(OPEN.slice(0, 2));
    const lines = [
      JSON.stringify(HEADER),
      '{"t":0,"link":"up"}',
      ...before.map((bytes, i) => JSON.stringify({ t: 400 + i * 400, rx: hexOf(bytes) })),
      // The first half of a message, and then the cable is pulled.
      '{"t":5000,"rx":"8e0005"}',
      '{"t":5001,"link":"lost"}',
      '{"t":9000,"link":"up"}',
      // What the board answers to the question for all squares, after Nf3.
      JSON.stringify({ t: 9100, rx: hexOf(pictureAfter(OPEN.slice(0, 3))) }),
    ];
    const { status, out } = await replay([makeFile('game.ndjson', `${lines.join('\n')}\n`)]);
    expect(status).toBe(0);
    const [line] = linesOf(out);
    expect(line?.moves).toEqual(OPEN.slice(0, 3));
    const codes = line!.flags.map((flag) => flag.code);
    expect(codes).toContain('LINK_LOST');
    expect(codes).toContain('MISSED_PLIES(1)');
  });

  it('may begin from a position of their own, and in Chess960', async () => {
    const fen = '4k3/8/8/8/8/8/8/5K1R w H - 0 1';
    const file = makeFile(
      'game.ndjson',
      captureOf(boardBytes(['O-O'], fen, 'chess960'), {
        ...HEADER,
        fen,
        variant: 'chess960',
        rateOfPlay: '180+2',
      }),
    );
    const [line] = linesOf((await replay([file])).out);
    expect(line).toMatchObject({
      variant: 'chess960',
      moves: ['O-O'],
      plies: [{ uci: 'f1h1' }],
      inSync: true,
    });
    expect(line!.start.split(' ')[0]).toBe('4k3/8/8/8/8/8/8/5K1R');
  });

  it('may carry words that this version does not know', async () => {
    const text = captureOf(messages, { ...HEADER, link: 'serial:/dev/x', hall: 'B' }).replaceAll(
      '"t":',
      '"seq":1,"t":',
    );
    const { status, out } = await replay([makeFile('game.ndjson', text)]);
    expect(status).toBe(0);
    expect(linesOf(out)[0]?.moves).toEqual(OPEN);
  });

  it('whose times fall are taken in their order', async () => {
    const lines = messages.map((bytes, i) =>
      JSON.stringify({ t: i === 4 ? -5000 : i * 400, rx: hexOf(bytes) }),
    );
    const { out } = await replay([
      makeFile('game.ndjson', `${[JSON.stringify(HEADER), ...lines].join('\n')}\n`),
    ]);
    expect(linesOf(out)[0]?.moves).toEqual(OPEN);
  });

  it('whose times are no whole numbers are taken as they are', async () => {
    const lines = messages.map((bytes, i) => JSON.stringify({ t: i * 400.37 + 0.125, rx: hexOf(bytes) }));
    const { out } = await replay([
      makeFile('game.ndjson', `${[JSON.stringify(HEADER), ...lines].join('\n')}\n`),
    ]);
    expect(linesOf(out)[0]?.moves).toEqual(OPEN);
  });
});

/** What a board on which these moves were made answers to the question for all squares. */
function pictureAfter(sans: readonly string[]): Uint8Array {
  const derived = deriveFile('game.bin', joinBytes(boardBytes(sans)), 'dgt');
  if (!derived.ok) throw new Error(derived.fault.message);
  return dumpBytes(derived.value.games[0]!.placement);
}

describe('replay without --json', () => {
  it('prints every game as PGN that reads back', async () => {
    const mate = makeFile('mate.bin', joinBytes(boardBytes(MATE)));
    const open = makeFile('open.bin', joinBytes(boardBytes(OPEN)));
    const { status, out, err } = await replay([mate, open], {});
    expect([status, err]).toEqual([0, '']);
    const games = parsePgn(out);
    expect(games.map((game) => game.faults)).toEqual([[], []]);
    expect(games.map((game) => game.plies.map((ply) => ply.san))).toEqual([MATE, OPEN]);
    expect(games.map((game) => game.result)).toEqual(['0-1', '*']);
    for (const name of ['Event', 'Site', 'Date', 'Round', 'White', 'Black', 'Result'])
      expect(games[0]!.tags.has(name)).toBe(true);
  });

  it('prints plies that are only placed as well, and never an illegal one as a move', async () => {
    const placed = makeFile('placed.trace', 'fen: start\nev: -e2 +e4=P\n');
    const illegal = makeFile(
      'illegal.trace',
      'fen: 4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1\nev: -c3 +e4=N CW -e8 +e7=k CB\n',
    );
    const games = parsePgn((await replay([placed, illegal], {})).out);
    expect(games.map((game) => game.plies.map((ply) => ply.san))).toEqual([['e4'], []]);
    expect(games[1]!.tags.get('FEN')).toBe('4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1');
  });

  it('prints the same as the writer of games does', async () => {
    const bytes = joinBytes(boardBytes(OPEN));
    const file = makeFile('open.bin', bytes);
    const derived = deriveFile(file, bytes, undefined);
    if (!derived.ok) throw new Error(derived.fault.message);
    const pgn = makePgn(derived.value.games[0]!, { Event: basename(file) }, { all: true });
    expect((await replay([file], {})).out.trimEnd()).toBe(pgn.trimEnd());
  });
});
