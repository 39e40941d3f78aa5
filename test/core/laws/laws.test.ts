/** The Laws through sensor events: what people do at a board, and what the desk is told. */
import { describe, expect, it } from 'vitest';
import type { GameEvent } from '../../../core/game-event.ts';
import { makeRecords } from '../../../core/game-record.ts';
import type { Ruling } from '../../../core/laws/decision.ts';
import { createLaws, type LawsEvent, type LawsOptions, type LawsOutput } from '../../../core/laws/laws.ts';
import { withLaws } from '../../../core/laws/with-laws.ts';
import { MachineDriver, runThrough } from '../../../core/machine.ts';
import { START_FEN } from '../../../core/position.ts';
import { createReconstructor } from '../../../core/reconstructor.ts';
import type { SensorEvent } from '../../../core/sensor-event.ts';
import { parseTraceEvents } from '../../../recorder/replay/trace.ts';
import { control, play, readingOf } from './sitting.ts';

interface Sitting {
  readonly start?: string;
  readonly options?: LawsOptions;
  readonly rotated?: boolean;
}

/** Rulings and verdicts among the events of a trace: at the time of the event before. */
type Entry =
  | { readonly ruling: Ruling }
  | {
      readonly verdict: readonly [
        ply: number,
        white: 'winnable' | 'unwinnable',
        black: 'winnable' | 'unwinnable',
      ];
    };
type Part = string | Entry | { readonly clock: string };

/** Everything the Laws say of a table at which this happens; the plies are the reconstructor's. */
function sit(
  parts: readonly Part[],
  { start = START_FEN, options = {}, rotated = false }: Sitting = {},
): LawsOutput[] {
  const laws = new MachineDriver(createLaws({ ...options, rotated }));
  const games = new MachineDriver(
    createReconstructor({ start, rotated, profile: { sensing: 'identity', scanMs: 0 } }),
  );
  const out: LawsOutput[] = [];
  const hear = (events: readonly GameEvent[]): void => {
    for (const event of events) laws.feed(event as LawsEvent, out);
  };
  let nowMs = 0;
  const see = (event: SensorEvent): void => {
    hear(games.advance(event.atMs));
    laws.feed({ type: 'seen', atMs: event.atMs, event }, out);
    hear(games.feed(event));
    nowMs = event.atMs;
  };
  for (const part of parts) {
    if (typeof part === 'string') {
      const events = parseTraceEvents(part, false);
      if (!events.ok) throw new Error(events.fault.message);
      const offsetMs = nowMs + 120;
      for (const event of events.value) see({ ...event, atMs: event.atMs + offsetMs });
      // A pause at the end of a part counts.
      const pause = /~(\d+)\s*$/.exec(part);
      if (pause !== null) {
        nowMs += Number(pause[1]);
        hear(games.advance(nowMs));
        laws.advance(nowMs, out);
      }
    } else if ('clock' in part) see({ type: 'clock', atMs: nowMs + 100, reading: readingOf(part.clock) });
    else if ('ruling' in part)
      laws.feed({ type: 'decision', atMs: nowMs, by: 'A. Arbiter', ruling: part.ruling }, out);
    else {
      const [ply, white, black] = part.verdict;
      laws.feed({ type: 'verdict', atMs: nowMs, ply, white, black }, out);
    }
  }
  hear(games.advance(Number.POSITIVE_INFINITY));
  laws.advance(nowMs + 3_600_000, out);
  return out;
}

const flagsOf = (outputs: readonly LawsOutput[]): string[] =>
  outputs.flatMap((o) => (o.type === 'flag' ? [`${o.flag.code} ${o.flag.ply}`] : []));
const proposalsOf = (outputs: readonly LawsOutput[]): string[] =>
  outputs.flatMap((o) =>
    o.type === 'proposal'
      ? [`${o.proposal.termination} ${o.proposal.score} ${o.proposal.verdict ?? ''}`.trim()]
      : [],
  );
const endingOf = (outputs: readonly LawsOutput[]): string | undefined => {
  const last = outputs.findLast((o) => o.type === 'ending');
  return last?.type === 'ending' ? `${last.ending.termination} ${last.ending.score}` : undefined;
};
const statesOf = (outputs: readonly LawsOutput[]): string[] =>
  outputs.flatMap((o) =>
    o.type === 'irregularity' ? [`${o.irregularity.kind} ${o.irregularity.state}`] : [],
  );

const BEGIN = 'D=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';
const SHUFFLE = 'Nf3 Nf6 Ng1 Ng8';

describe('draws', () => {
  it('9.2: the third occurrence is claimable, the fourth again, and it ends nothing', () => {
    const out = sit([play(START_FEN, `e4 e5 ${SHUFFLE} ${SHUFFLE} ${SHUFFLE}`)]);
    // Behind 1.e4 e5 the knights' other squares come three times as well.
    expect(flagsOf(out).filter((f) => f.startsWith('THREEFOLD'))).toEqual([
      'THREEFOLD_CLAIMABLE 10',
      'THREEFOLD_CLAIMABLE 11',
      'THREEFOLD_CLAIMABLE 12',
      'THREEFOLD_CLAIMABLE 13',
      'THREEFOLD_CLAIMABLE 14',
    ]);
    expect(endingOf(out)).toBeUndefined();
  });

  it('9.6.1: the fifth occurrence ends the game by itself', () => {
    const out = sit([play(START_FEN, `e4 e5 ${SHUFFLE} ${SHUFFLE} ${SHUFFLE} ${SHUFFLE}`)]);
    expect(flagsOf(out)).toContain('FIVEFOLD 18');
    expect(endingOf(out)).toBe('fivefold 1/2-1/2');
  });

  it('9.3, 9.6.2: fifty moves are claimable once, 75 end the game', () => {
    const start = '4k2r/p6p/8/8/8/8/P6P/R3K3 w - - 98 90';
    const out = sit([play(start, 'Rb1 Rf8 Rb2 Rf7')], { start });
    expect(flagsOf(out).filter((f) => f.startsWith('FIFTY'))).toEqual(['FIFTY_CLAIMABLE 2']);
    const late = '4k2r/p6p/8/8/8/8/P6P/R3K3 w - - 148 90';
    const end = sit([play(late, 'Rb1 Rf8')], { start: late });
    expect(flagsOf(end)).toContain('SEVENTY_FIVE 2');
    expect(endingOf(end)).toBe('seventy-five 1/2-1/2');
  });

  it('9.6.2: mate on the last of the 75 moves wins', () => {
    const start = '6k1/5ppp/8/8/8/8/8/R3K3 w - - 149 90';
    const out = sit([play(start, 'Ra8#')], { start });
    expect(flagsOf(out)).not.toContain('SEVENTY_FIVE 1');
    expect(endingOf(out)).toBe('checkmate 1-0');
  });

  it('9.3: a pawn move makes fifty moves claimable anew', () => {
    const start = '4k2r/p6p/8/8/8/8/P6P/R3K3 w - - 99 90';
    const out = sit([play(start, 'Rb1 a6')], { start });
    expect(flagsOf(out).filter((f) => f.startsWith('FIFTY'))).toEqual(['FIFTY_CLAIMABLE 1']);
  });

  it('5.2.2: a dead position ends the game when it arose, whenever it is found out', () => {
    const start = '4k3/8/8/8/8/8/P7/4K3 w - - 0 1';
    const out = sit(
      [
        play(start, 'a3 Kd7 a4'),
        { ruling: { type: 'flag-registered', side: 'white' } },
        { verdict: [2, 'unwinnable', 'unwinnable'] },
      ],
      { start },
    );
    expect(flagsOf(out)).toContain('DEAD_POSITION 2');
    expect(endingOf(out)).toBe('dead-position 1/2-1/2');
    expect(flagsOf(sit([play(start, 'a3'), { verdict: [1, 'winnable', 'unwinnable'] }], { start }))).toEqual(
      [],
    );
  });

  it('5.2.2: king and bishop each, on squares of one colour, are dead (D1-7)', () => {
    const start = '2b1k3/8/8/8/8/8/3p4/2B1K3 w - - 0 1';
    const alive = sit([play(start, 'Kxd2')], { start });
    expect(endingOf(alive)).toBeUndefined();
    const same = '5bk1/8/8/8/8/8/3p4/2B1K3 w - - 0 1';
    const out = sit([play(same, 'Kxd2')], { start: same });
    expect(flagsOf(out)).toEqual(['DEAD_POSITION 1']);
    expect(endingOf(out)).toBe('dead-position 1/2-1/2');
  });

  it('5.2.2: a wall that closes for good ends the game, whatever stands behind it', () => {
    const start = '4k3/8/p1ppp1p1/PpP1PpPp/1P1P1P1P/8/8/3QK3 b - - 0 1';
    const bare = start.replace('3QK3', '4K3');
    const out = sit([play(bare, 'd5')], { start: bare });
    expect(flagsOf(out)).toEqual(['DEAD_POSITION 1']);
    expect(endingOf(out)).toBe('dead-position 1/2-1/2');
    // A queen gets through it.
    expect(flagsOf(sit([play(start, 'd5')], { start }))).toEqual([]);
    // From d7 the pawn may be captured in passing: only the next move closes the wall.
    const passing = bare.replace('8/p1ppp1p1', '3p4/p1p1p1p1');
    expect(flagsOf(sit([play(passing, 'd5 Ke2')], { start: passing }))).toEqual(['DEAD_POSITION 2']);
  });

  it('5.2.2: a check that can only be answered by taking the last piece ends with that move (E215a)', () => {
    const start = '7k/6R1/7K/8/8/8/8/8 w - - 0 1';
    const checked = play(start, 'Rg8+');
    expect(endingOf(sit([checked], { start }))).toBeUndefined();
    const fallen = sit([checked, { ruling: { type: 'flag-registered', side: 'black' } }], { start });
    expect(endingOf(fallen)).toBe('flag-fall 1/2-1/2');
  });

  it('5.2.2: whoever sets up a dead position wants to see moves', () => {
    const start = '4k3/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/4K3 w - - 0 1';
    expect(flagsOf(sit([play(start, 'Ke2')], { start }))).toEqual([]);
  });

  it('5.1.2: a resignation is proposed as a draw where the opponent cannot mate', () => {
    const resigns = (start: string) =>
      proposalsOf(
        sit([play(start, 'Kd2'), { ruling: { type: 'result', score: '0-1', termination: 'resignation' } }], {
          start,
        }),
      );
    expect(resigns('8/8/4k3/8/7n/8/7Q/3K4 w - - 0 1')).toEqual(['resignation 1/2-1/2 unwinnable']);
    expect(resigns('8/8/4k3/8/7n/8/7P/3K4 w - - 0 1')).toEqual([]);
  });

  it('9.1.2: an offer lapses when the opponent touches a piece, not when he nudges one', () => {
    const offer: Entry = { ruling: { type: 'draw-offer', side: 'white', ply: 1 } };
    const out = sit([play(START_FEN, 'e4'), offer, '-g8 ~100 +g8=n ~900 -b8 ~900 +b8=n ~2000']);
    const lapsed = out.flatMap((o) => (o.type === 'flag' && o.flag.code === 'OFFER_LAPSED' ? [o] : []));
    expect(lapsed).toHaveLength(1);
    // When the knight was lifted, told when it was clear that it was no nudge.
    expect(lapsed[0]!.atMs - lapsed[0]!.flag.atMs).toBe(250);
    expect(flagsOf(sit([play(START_FEN, 'e4'), offer, '-g8 ~100 +g8=n ~9000']))).toEqual([]);
    // Entered only when the touch, or the reply, had been seen already.
    const late = sit([play(START_FEN, 'e4'), '-b8 ~900 +b8=n ~2000', offer]);
    expect(flagsOf(late)).toEqual(['OFFER_LAPSED 2']);
    expect(flagsOf(sit([play(START_FEN, 'e4 e5'), offer]))).toEqual(['OFFER_LAPSED 2']);
    const declined: Entry = { ruling: { type: 'draw-declined', ply: 2 } };
    expect(flagsOf(sit([play(START_FEN, 'e4'), offer, declined, '-b8 ~900 +b8=n ~2000']))).toEqual([]);
  });
});

describe('a draw by a ply that is taken back', () => {
  it('is claimable again when the ply is made again', () => {
    const moves = play(START_FEN, `e4 e5 ${SHUFFLE} ${SHUFFLE}`);
    const back = '-g8 ~300 +f6=n ~3000';
    const again = '-f6 ~300 +g8=n ~300 CB ~3000';
    const out = sit([moves, back, again]);
    expect(flagsOf(out).filter((f) => f.startsWith('THREEFOLD'))).toEqual([
      'THREEFOLD_CLAIMABLE 10',
      'THREEFOLD_CLAIMABLE 10',
    ]);
  });
});

describe('touch-move', () => {
  it('4.3.1: is told with the ply that does not honour it', () => {
    const out = sit(['-b1 ~900 +b1=N ~400 -g1 ~500 +f3=N ~300 CW ~9000']);
    expect(flagsOf(out)).toEqual(['TOUCH_MOVE 1']);
    expect(statesOf(out)).toEqual(['touch-move seen']);
  });

  it('4.8: the right to claim ends with the first touch of the opponent', () => {
    const out = sit(['-b1 ~900 +b1=N ~400 -g1 ~500 +f3=N ~300 CW ~3000 -e7 ~900 +e5=p ~500 CB ~9000']);
    expect(flagsOf(out)).toEqual(['TOUCH_MOVE 1', 'CLAIM_OVER 2']);
    expect(flagsOf(sit([play(START_FEN, 'e4 e5 Nf3')]))).toEqual([]);
  });
});

describe('irregularities', () => {
  const ILLEGAL = '-e2 ~300 +e5=P ~500 CW ~4000';

  it('7.5.1, 7.5.5: an illegal move is counted when it is confirmed, and the second loses', () => {
    const confirm = (ply: number): Entry => ({
      ruling: { type: 'confirm', kind: 'illegal', side: 'white', ply },
    });
    const out = sit([ILLEGAL, confirm(1)]);
    expect(statesOf(out)).toEqual(['illegal seen', 'illegal confirmed']);
    expect(proposalsOf(out)).toEqual([]);
    const hands: Entry = { ruling: { type: 'enter', kind: 'two-hands', side: 'white', ply: 1 } };
    const second = sit([BEGIN, hands, ILLEGAL, confirm(1)], { options: { canMate: () => 'winnable' } });
    expect(proposalsOf(second)).toEqual(['illegal-moves 0-1 winnable']);
    const drawn = sit([BEGIN, hands, ILLEGAL, confirm(1)], { options: { canMate: () => 'unwinnable' } });
    expect(proposalsOf(drawn)).toContain('illegal-moves 1/2-1/2 unwinnable');
  });

  it('7.5.3: pressed without a move', () => {
    const out = sit([play(START_FEN, 'e4 e5'), 'CW ~9000']);
    expect(statesOf(out)).toEqual(['pressed-without-move seen']);
  });

  it('7.5.5: the first gives time by the rate of play, with both clocks at the moment', () => {
    const out = sit([{ clock: 'w 10:00/10:00' }, '-e2 ~300 +e5=P ~500', { clock: 'b 9:58/10:00' }, '~5000'], {
      options: { controls: control('600+5') },
    });
    const found = out.find((o) => o.type === 'irregularity');
    expect(found).toMatchObject({
      irregularity: {
        kind: 'illegal',
        side: 'white',
        ply: 1,
        clocks: { whiteMs: 598_000, blackMs: 600_000 },
        penalty: { type: 'time', to: 'black', ms: 60_000 },
      },
    });
  });

  it('A.5.2: under limited supervision it stands once answered, under full supervision it does not', () => {
    const answer = '-e7 ~300 +e6=p ~500 CB ~9000';
    const limited = sit([ILLEGAL, answer], { options: { regime: 'limited' } });
    expect(flagsOf(limited)).toEqual(['ILLEGAL_STANDS 1']);
    expect(statesOf(limited)).toEqual(['illegal seen', 'illegal stands']);
    expect(flagsOf(sit([ILLEGAL, answer]))).toEqual([]);
  });
});

describe('the clock', () => {
  it('6.8, 6.9: a flag that falls is told once, and the result is proposed, not given', () => {
    const parts: Part[] = [
      { clock: 'w 0:03/1:00' },
      play(START_FEN, 'e4').replace('CW', ''),
      { clock: 'w 0:01/1:00' },
      { clock: 'w 0:00!/1:00' },
      { clock: 'w 0:00!/1:00' },
    ];
    const out = sit(parts, { options: { canMate: () => 'winnable' } });
    expect(flagsOf(out)).toEqual(['FLAG_FALL 1']);
    expect(proposalsOf(out)).toEqual(['flag-fall 0-1 winnable']);
    expect(endingOf(out)).toBeUndefined();
    const drawn = sit(parts, { options: { canMate: () => 'unwinnable' } });
    expect(proposalsOf(drawn)).toEqual(['flag-fall 1/2-1/2 unwinnable']);
  });

  it.each([
    ['D1-5: rook against rook', '4k2r/8/8/8/8/8/8/R3K3 b - - 0 1', '1-0 winnable'],
    ['D1-9: knight against rook', '4k2r/8/8/8/8/8/8/1N2K3 b - - 0 1', '1-0 winnable'],
    ['E214a: a lone king', '8/8/3rk3/8/8/2K5/8/8 b - - 0 1', '1/2-1/2 unwinnable'],
    ['E214c: bishop against bishop and pawn', '8/5k2/3b4/4p3/8/2B5/4K3/8 b - - 0 1', '1-0 winnable'],
  ])('6.9: who has not lost on time may still have to be able to mate (%s)', (_title, start, proposal) => {
    const out = sit([{ clock: 'b 1:00/0:01' }, '~500', { clock: 'b 1:00/0:00!' }], { start });
    expect(proposalsOf(out)).toEqual([`flag-fall ${proposal}`]);
  });

  it('6.8: a mate that was made before the flag was registered stands', () => {
    const start = '6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1';
    const mate = '-a1 ~300 +a8=R ~900';
    const flag: Entry = { ruling: { type: 'flag-registered', side: 'white' } };
    expect(endingOf(sit([mate, flag], { start }))).toBe('checkmate 1-0');
    expect(endingOf(sit(['-h7 ~300 +h7=p', flag, mate], { start }))).toBe('flag-fall 0-1');
  });

  it('6.8: a flag within two seconds of the mate: both times, and no verdict', () => {
    const start = '6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1';
    const flag: Part[] = [{ clock: 'w 0:02/1:00' }, { clock: 'w 0:00!/1:00' }];
    const close = sit([...flag, '-a1 ~300 +a8=R ~900'], { start });
    expect(flagsOf(close)).toEqual(['FLAG_FALL 0', 'RESULT_CONFLICT 1']);
    expect(endingOf(close)).toBe('checkmate 1-0');
    const far = sit([...flag, '-a1 ~2300 +a8=R ~900'], { start });
    expect(flagsOf(far)).toEqual(['FLAG_FALL 0']);
  });

  it('knows which face of the clock is whose, also on a turned board', () => {
    // White's face is on the right of a board that is turned.
    const out = sit([{ clock: 'b 0:50/0:03' }, { clock: 'b 0:50/0:01' }, { clock: 'b 0:50/0:00!' }], {
      rotated: true,
    });
    const flag = out.find((o) => o.type === 'flag');
    expect(flag).toMatchObject({ flag: { code: 'FLAG_FALL', detail: expect.stringContaining('white') } });
  });

  it('E159: a clock that is not connected is lost, and has no flags', () => {
    expect(
      flagsOf(sit([{ clock: 'w 5:00/5:00' }, { clock: 'x 0:00/0:00' }, { clock: 'x 0:00/0:00' }])),
    ).toEqual(['CLOCK_LOST 0']);
  });

  it('6.7: the default time passes without a move: proposed, but not of a lost link', () => {
    const options = { defaultMs: 60_000 };
    expect(flagsOf(sit([BEGIN], { options }))).toEqual(['DEFAULT_TIME 0']);
    expect(flagsOf(sit([`${BEGIN} ~1000 LINK-`], { options }))).toEqual([]);
    expect(flagsOf(sit([`${BEGIN} ~1000 ${play(START_FEN, 'e4')}`], { options }))).toEqual([]);
    // Thinking is not absence.
    expect(flagsOf(sit([`${BEGIN} ~1000 -b1 ~900 +b1=N ~2000`], { options }))).toEqual([]);
    expect(flagsOf(sit([BEGIN]))).toEqual([]);
    // It counts from the start of the clock: a board may stand ready long before the round.
    const standing = { clock: '- 5:00/5:00' };
    expect(flagsOf(sit([BEGIN, standing, BEGIN], { options }))).toEqual([]);
    expect(flagsOf(sit([BEGIN, standing, { clock: 'w 5:00/5:00' }], { options }))).toEqual([
      'DEFAULT_TIME 0',
    ]);
  });
});

describe('a result', () => {
  it('8.7: board and desk disagree: both are told, and no earlier fact is lost', () => {
    const start = '6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1';
    const desk: Entry = { ruling: { type: 'result', score: '0-1', termination: 'resignation' } };
    const out = sit(['-a1 ~300 +a8=R ~900', desk], { start });
    expect(flagsOf(out)).toEqual(['RESULT_CONFLICT 1']);
    expect(endingOf(out)).toBe('checkmate 1-0');
    const agreed: Entry = { ruling: { type: 'result', score: '1-0', termination: 'checkmate' } };
    expect(flagsOf(sit(['-a1 ~300 +a8=R ~900', agreed], { start }))).toEqual([]);
  });

  it('of the desk alone is an ending with its reason', () => {
    const desk: Entry = { ruling: { type: 'result', score: '0-0', termination: 'arbiter' } };
    expect(endingOf(sit([play(START_FEN, 'e4'), desk]))).toBe('arbiter 0-0');
  });
});

describe('the moments of a ply', () => {
  it('4.2, 4.7, 6.2.1: touched, made and completed, with both clocks at each', () => {
    const out = sit([
      { clock: 'w 5:00/5:00' },
      '~2000 -e2 ~1000 +e4=P ~1000',
      { clock: 'b 4:56/5:00' },
      '~3000 -e7 ~500 +e5=p ~9000',
    ]);
    const moments = out.flatMap((o) => (o.type === 'moments' ? [o.moments] : []))[0]!;
    const { touchedAtMs, madeAtMs, completedAtMs, clocks, ply } = moments;
    expect(ply).toBe(1);
    expect(madeAtMs - touchedAtMs!).toBe(1000);
    expect(completedAtMs! - madeAtMs).toBeGreaterThanOrEqual(1000);
    expect(clocks.touched).toEqual({ whiteMs: 300_000, blackMs: 300_000 });
    expect(clocks.completed).toEqual({ whiteMs: 296_000, blackMs: 300_000 });
  });
});

describe('a reconstructor with the Laws', () => {
  it('says what it says without them, and their flags besides', () => {
    const events = parseTraceEvents(play(START_FEN, `e4 e5 ${SHUFFLE} ${SHUFFLE}`), false);
    if (!events.ok) throw new Error(events.fault.message);
    const plain = [...runThrough(createReconstructor(), events.value, Number.POSITIVE_INFINITY)];
    const both = [
      ...runThrough(withLaws(createReconstructor(), createLaws()), events.value, Number.POSITIVE_INFINITY),
    ];
    const more = both.filter((e) => e.type === 'flag' && e.flag.code === 'THREEFOLD_CLAIMABLE');
    expect(more).toHaveLength(1);
    expect(both.filter((e) => !more.includes(e))).toEqual(plain);
    expect(makeRecords(both)[0]!.flags.map((f) => f.code)).toContain('THREEFOLD_CLAIMABLE');
  });

  const recorded = (text: string, start = START_FEN) => {
    const events = parseTraceEvents(text, false);
    if (!events.ok) throw new Error(events.fault.message);
    return makeRecords(
      runThrough(
        withLaws(createReconstructor({ start }), createLaws()),
        events.value,
        Number.POSITIVE_INFINITY,
      ),
    );
  };
  const FIVE = `e4 e5 ${SHUFFLE} ${SHUFFLE} ${SHUFFLE} ${SHUFFLE}`;

  it('9.6.1, E101: ends the game at the fifth occurrence, and what follows is post-game', () => {
    const [game, ...others] = recorded(play(START_FEN, `${FIVE} d4 d5`));
    expect(others).toEqual([]);
    expect(game).toMatchObject({ result: '1/2-1/2', reason: 'fivefold', ended: true });
    expect(game!.plies).toHaveLength(18);
    const codes = game!.flags.map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(['FIVEFOLD', 'RESULT(1/2-1/2)', 'POSTGAME']));
    expect(codes.filter((code) => code === 'POSTGAME')).toHaveLength(1);
    // Nothing that happens after the end is an irregularity.
    expect(game!.flags.filter(({ severity }) => severity === 'alarm').map(({ code }) => code)).toEqual([
      'FIVEFOLD',
    ]);
  });

  it('9.6.2, E101: ends the game at the 75th move, not at the 50th', () => {
    const start = '4k2r/p6p/8/8/8/8/P6P/R3K3 w - - 148 90';
    const [game] = recorded(play(start, 'Rb1 Rf8 Rb2 Rf7'), start);
    expect(game).toMatchObject({ result: '1/2-1/2', reason: 'seventy-five', ended: true });
    expect(game!.plies).toHaveLength(2);
    const fifty = '4k2r/p6p/8/8/8/8/P6P/R3K3 w - - 98 90';
    const [open] = recorded(play(fifty, 'Rb1 Rf8 Rb2 Rf7'), fifty);
    expect(open).toMatchObject({ result: '*', ended: false });
    expect(open!.plies).toHaveLength(4);
  });

  it('5.2.2: ends the game when a wall closes for good', () => {
    const start = '4k3/8/p1ppp1p1/PpP1PpPp/1P1P1P1P/8/8/4K3 b - - 0 1';
    const [game, ...others] = recorded(play(start, 'd5 Kd2'), start);
    expect(others).toEqual([]);
    expect(game).toMatchObject({ result: '1/2-1/2', reason: 'dead-position', ended: true });
    expect(game!.plies).toHaveLength(1);
    expect(game!.flags.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['DEAD_POSITION', 'RESULT(1/2-1/2)', 'POSTGAME']),
    );
  });

  it('9.6.1: a result that is shown after it is a conflict, and the next game begins clean', () => {
    const kings = '-e1 ~400 -e8 ~400 -e4 -e5 ~500 +e4=K ~400 +d5=k ~9000';
    const board = '-e4 ~400 -d5 ~400 D=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR ~9000';
    const games = recorded(`${play(START_FEN, FIVE)} ${kings} ${board} ${play(START_FEN, 'e4 e5')}`);
    expect(games).toHaveLength(2);
    expect(games[0]).toMatchObject({ result: '1/2-1/2', reason: 'fivefold' });
    expect(games[0]!.flags.map(({ code }) => code)).toContain('RESULT_CONFLICT');
    expect(games[1]).toMatchObject({ result: '*', ended: false });
    expect(games[1]!.plies.map(({ san }) => san)).toEqual(['e4', 'e5']);
  });
});
