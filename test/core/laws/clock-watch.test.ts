import { describe, expect, it } from 'vitest';
import { FLAG_WORDS } from '../../../core/flag.ts';
import {
  type ClockFinding,
  type ClockWatchEvent,
  createClockWatch,
  makeClockFlag,
} from '../../../core/laws/clock-watch.ts';
import { parseTimeControl, type TimeControls } from '../../../core/laws/time-control.ts';
import { runThrough } from '../../../core/machine.ts';
import type { Side } from '../../../core/square.ts';

const controls = (white: string, black = white): TimeControls => {
  const [w, b] = [parseTimeControl(white), parseTimeControl(black)];
  if (!w.ok || !b.ok) throw new Error(`${white} or ${black} is no time control`);
  return { white: w.value, black: b.value };
};

/** "1:02:03", "5:00", "0:00.9" in ms. */
const ms = (text: string): number => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1000;

/**
 * A clock in words, a step each: `@12.5` the time in seconds, `w 1:30:00/1:29:00` a reading with White's time running
 * (`b` Black's, `-` stopped, a `!` behind a time: the clock says it has run out, `?` behind it: it says it has not), `#4`
 * the plies made, `<3` withdrawn from ply 3, `gone`, `lost`, `up`, `over`.
 */
function watch(text: string, control?: TimeControls): ClockFinding[] {
  const events: ClockWatchEvent[] = [
    {
      type: 'gameStarted',
      atMs: 0,
      game: 1,
      variant: 'standard',
      start: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
      orientation: 'normal',
    },
  ];
  let atMs = 0;
  const words = text.split(/\s+/).filter((word) => word !== '');
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word.startsWith('@')) atMs = Number(word.slice(1)) * 1000;
    else if (word === 'w' || word === 'b' || word === '-') {
      const [white, black] = words[++i]!.split('/') as [string, string];
      const running = ({ w: 'white', b: 'black', '-': undefined } as const)[word];
      const says = /[!?]/.test(words[i]!);
      const fallen = { white: white.endsWith('!'), black: black.endsWith('!') };
      events.push({
        type: 'clock',
        atMs,
        whiteMs: ms(white.replace(/[!?]/, '')),
        blackMs: ms(black.replace(/[!?]/, '')),
        running,
        ...(says && { fallen }),
      });
    } else if (word.startsWith('#')) {
      const ply = { san: 'e4', uci: 'e2e4', state: 'confirmed', madeAtMs: atMs } as const;
      events.push({ type: 'ply', atMs, number: Number(word.slice(1)), ply });
    } else if (word.startsWith('<')) events.push({ type: 'withdrawn', atMs, number: Number(word.slice(1)) });
    else if (word === 'gone') events.push({ type: 'clockGone', atMs });
    else if (word === 'lost' || word === 'up') events.push({ type: 'link', atMs, link: word });
    else if (word === 'over') events.push({ type: 'gameEnded', atMs, result: '1-0' });
    else if (word === 'CW' || word === 'CB')
      events.push({ type: 'press', atMs, side: word === 'CW' ? 'white' : 'black' });
    else throw new Error(`${word} is no step of a clock`);
  }
  return [
    ...runThrough(
      createClockWatch(control === undefined ? {} : { controls: control }),
      events,
      atMs + 60_000,
    ),
  ];
}

const codes = (text: string, control?: TimeControls): string[] =>
  watch(text, control).map((finding) => makeClockFlag(finding).code);

describe('time that was added', () => {
  it('7.5.5, E140: a reading that rises while the other side thinks is time added, exactly', () => {
    const text = '@0 b 1:00/0:33 @18 b 1:00/0:15 #2 @18.5 w 1:00/0:15 @20 w 0:59/0:25';
    expect(codes(text)).toEqual(['TIME_ADDED(black,10)']);
    expect(codes(text, controls('60'))).toEqual(['TIME_ADDED(black,10)']);
    expect(watch(text)[0]).toMatchObject({ side: 'black', ms: 10_000, ply: 2, atMs: 20_000 });
  });

  it('9.5.3, E151: two minutes given while the clock is stopped are told once, when it runs again', () => {
    const text =
      '@0 w 10:00/9:00 #1 @5 - 9:55/9:00 @8 - 9:55/9:30 @9 - 9:55/10:30 @12 - 9:55/11:00 @20 w 9:55/11:00';
    expect(codes(text, controls('5400'))).toEqual(['TIME_ADDED(black,120)']);
    expect(watch(text, controls('5400'))[0]).toMatchObject({ atMs: 20_000, ply: 1 });
  });

  it('E157: while the clock is set its lever and its times mean nothing', () => {
    const text =
      '@0 w 10:00/9:00 @1 w 9:59/9:00 @2 - 9:59/9:00 @3 - 0:00/5:00 @4 - 3:00/0:00 @5 - 9:59/9:00 @9 b 9:59/9:00';
    expect(codes(text)).toEqual([]);
    expect(codes('@0 - 0:00/0:00 @1 - 0:10:00/0:00 @2 - 10:00/10:00 @9 w 10:00/10:00')).toEqual([]);
  });

  it('6.3: the increment at a press is none, whether or not the time control is known', () => {
    const text =
      '@0 w 1:30:30/1:30:30 @40 w 1:29:50/1:30:30 #1 @40.5 b 1:30:20/1:30:30 @45 b 1:30:20/1:30:26';
    expect(codes(text, controls('5400+30'))).toEqual([]);
    expect(codes(text)).toEqual([]);
    // Two minutes more than the increment.
    const more = '@0 w 1:29:50/1:30:30 #1 @1 b 1:32:19/1:30:30';
    expect(codes(more, controls('5400+30'))).toEqual(['TIME_ADDED(white,120)']);
    expect(codes('@0 w 1:29:50/1:30:30 #1 @1 b 1:30:19/1:30:30', controls('5400'))).toEqual([
      'TIME_ADDED(white,30)',
    ]);
  });

  it('6.3: increments of plies between two readings far apart are none', () => {
    const text = '@0 w 1:00:00/1:00:00 #1 #2 #3 #4 @60 w 1:00:20/1:00:20';
    expect(codes(text, controls('3600+30'))).toEqual([]);
    expect(codes('@0 w 1:00:00/1:00:00 @60 w 1:00:20/1:00:20', controls('3600+30'))).not.toEqual([]);
  });

  it('E160: delay and Bronstein, a reading that is equal after a fast move is normal', () => {
    const delay =
      '@0 w 45:00/45:00 @3 w 45:00/45:00 #1 @3.5 b 45:00/45:00 @12 b 45:00/44:56 #2 @12.5 w 45:00/44:56';
    expect(codes(delay, controls('2700d5'))).toEqual([]);
    const bronstein =
      '@0 w 45:00/45:00 @8 w 44:52/45:00 #1 @8.5 b 44:57/45:00 @11 b 44:57/44:57 #2 @11.5 w 44:57/45:00';
    expect(codes(bronstein, controls('2700b5'))).toEqual([]);
  });

  it('a sand clock gives to one what the other uses', () => {
    expect(codes('@0 w 3:00/3:00 @20 w 2:40/3:20 @21 b 2:40/3:20', controls('*180'))).toEqual([]);
  });
});

describe('jumps', () => {
  it('6.10: time cannot run faster than it goes, nor run off a clock that stands', () => {
    expect(watch('@0 w 5:00/5:00 @2 w 3:00/5:00')).toMatchObject([
      { type: 'jump', side: 'white', fromMs: 300_000, toMs: 180_000 },
    ]);
    expect(watch('@0 w 5:00/5:00 @10 w 4:50/4:40')).toMatchObject([{ type: 'jump', side: 'black' }]);
    expect(codes('@0 w 5:00/5:00 @10 w 4:49/5:00 @11 b 4:48/5:00 @20 b 4:48/4:50')).toEqual([]);
  });

  it('a gap in the readings is no jump', () => {
    expect(codes('@0 w 50:00/50:00 #1 @1 b 50:00/50:00 lost #2 #3 @300 up b 48:00/47:30')).toEqual([]);
  });
});

describe('periods', () => {
  const two = controls('2/60:600');

  it('6.4: the next period at the press of the last move of a control', () => {
    const text =
      '@0 w 1:00/1:00 #1 @5 b 0:55/1:00 #2 @9 w 0:55/0:56 #3 @15 b 10:49/0:56 #4 @20 w 10:49/10:51';
    expect(watch(text, two)).toMatchObject([
      { type: 'period-change', side: 'white', index: 1, moves: 2 },
      { type: 'period-change', side: 'black', index: 1, moves: 2 },
    ]);
  });

  it('6.4: a ply that is recognised a moment after its press counts', () => {
    expect(codes('@0 w 1:00/1:00 #1 @1 b 0:59/1:00 #2 @2 w 0:59/0:59 @4 b 10:57/0:59 @4.4 #3', two)).toEqual([
      'PERIOD_CHANGE',
    ]);
  });

  it('6.4: on clocks that add the time when the first is used up', () => {
    expect(
      codes('@0 w 0:03/1:00 #3 @1 w 0:02/1:00 @2 w 0:01/1:00 @3.2 w 10:00/1:00 @9 w 9:54/1:00', two),
    ).toEqual(['PERIOD_CHANGE']);
  });

  it('6.9: a period that comes when the time is used up before the moves are made is a flag as well', () => {
    const text = '@0 w 0:02/1:00 #1 #2 @1 w 0:01/1:00 @2.2 w 10:00/1:00';
    expect(watch(text, two)).toMatchObject([
      { type: 'flag-fall', side: 'white', moves: 1 },
      { type: 'period-early', side: 'white', index: 1, moves: 1 },
    ]);
  });

  it('6.4: a period before the recorded moves reach the control is early', () => {
    const text = '@0 w 0:50/1:00 #1 @1 b 10:49/1:00 @20 b 10:49/0:41';
    expect(watch(text, two)).toMatchObject([{ type: 'period-early', side: 'white', index: 1, moves: 1 }]);
  });

  it('takes each side by its own control', () => {
    const text = '@0 w 0:50/1:00 #1 #2 #3 @1 b 10:49/1:00';
    expect(codes(text, controls('2/60:600', '60'))).toEqual(['PERIOD_CHANGE']);
    expect(codes(text, controls('60', '2/60:600'))).toEqual(['TIME_ADDED(white,600)']);
  });
});

describe('flags', () => {
  it('6.8: a clock that reads zero has fallen, once, however long the players go on (E104)', () => {
    const text =
      '@0 w 0:02/1:00 #21 #22 @1 w 0:01/1:00 @2 w 0:00/1:00 @3 w 0:00/1:00 #23 @4 b 0:00/1:00 @9 b 0:00/0:55';
    expect(watch(text)).toMatchObject([
      { type: 'flag-fall', side: 'white', order: 'first', moves: 11, atMs: 2000 },
    ]);
  });

  it('6.8: which flag fell first, where the readings show it', () => {
    const text = '@0 w 0:01/0:01 #5 @1 w 0:00/0:01 #6 @1.5 b 0:00/0:01 @2.5 b 0:00/0:00';
    expect(watch(text).map((f) => f.type === 'flag-fall' && `${f.side} ${f.order}`)).toEqual([
      'white first',
      'black second',
    ]);
    const both = '@0 w 0:05/0:05 #5 @1 lost @40 up w 0:00!/0:00!';
    expect(watch(both).map((f) => f.type === 'flag-fall' && f.order)).toEqual(['unknown', 'unknown']);
  });

  it('E144: below one second is not zero on a clock that says itself when time has run out', () => {
    expect(codes('@0 w 0:01?/1:00 @1 w 0:00?/1:00 @1.6 b 0:00?/1:00')).toEqual([]);
    expect(watch('@0 w 0:01?/1:00 @1 w 0:00?/1:00 @2 w 0:00!/1:00')).toMatchObject([{ atMs: 2000 }]);
    // It stays at zero and says nothing: a second later its time has run out all the same.
    expect(watch('@0 w 0:01?/1:00 @1 w 0:00?/1:00 @2 w 0:00?/1:00 @3 w 0:00?/1:00')).toMatchObject([
      { type: 'flag-fall', side: 'white', atMs: 2000 },
    ]);
    expect(codes('@0 w 0:00.9/1:00 @0.5 b 0:00.4/1:00 @1 b 0:00.4/0:59')).toEqual([]);
  });

  it('E144: ten hours are ten hours', () => {
    expect(codes('@0 w 10:00:00/10:00:00 @5 w 9:59:55/10:00:00')).toEqual([]);
  });

  it('E099: nothing is told of the clock after the result', () => {
    expect(codes('@0 w 0:02/1:00 #21 over @2 w 0:00/1:00 @3 w 9:00/1:00 gone')).toEqual([]);
  });

  it('E159: a clock that is not there has no flags', () => {
    expect(codes('@0 w 0:40/1:00 @1 w 0:39/1:00 @2 gone @3 gone @9 gone')).toEqual(['CLOCK_LOST']);
    expect(codes('@0 - 0:00/0:00 @5 - 0:00/0:00')).toEqual([]);
    expect(codes('gone @5 gone')).toEqual([]);
  });
});

describe('presses', () => {
  const steady = '@0 w 5:00/5:00 @1 w 4:59/5:00 @2 w 4:58/5:00 @3 w 4:57/5:00 @4 w 4:56/5:00 @5 w 4:55/5:00';

  it('a clock that told its time steadily and falls silent is lost, once', () => {
    expect(watch(`${steady} @6 w 4:54/5:00 @40 #1 #2`)).toMatchObject([
      { type: 'clock-lost', why: 'silent', atMs: 16_000 },
    ]);
    // Readings at presses only say nothing of silence; a lost link is a silence of its own.
    expect(codes('@0 w 5:00/5:00 @60 b 4:00/5:00')).toEqual([]);
    expect(codes(`${steady} @6 lost @40 #1`)).toEqual([]);
    expect(codes(`${steady} @6 - 4:54/5:00 @40 #1`)).toEqual([]);
  });

  it('E155: many plies without a press are a fault of the clock, told once', () => {
    const pressed = '@0 w 5:00/5:00 #1 @1 b 5:00/5:00 #2 @2 w 5:00/5:00';
    const later = (count: number): string =>
      Array.from({ length: count }, (_, i) => `@${3 + i} #${3 + i}`).join(' ');
    expect(codes(`${pressed} ${later(7)}`)).toEqual([]);
    expect(watch(`${pressed} ${later(20)}`)).toMatchObject([
      { type: 'clock-lost', why: 'no-presses', ply: 10 },
    ]);
    expect(codes(later(20))).toEqual([]);
  });

  it('6.2: a lever that goes there, back and there again is a double press', () => {
    expect(watch('#1 @1 CW @1.4 CB @1.8 CW')).toMatchObject([{ type: 'double-press', side: 'white' }]);
    expect(watch('@0 w 5:00/5:00 #1 @1 b 5:00/5:00 @1.3 w 5:00/5:00 @1.6 b 5:00/5:00')).toMatchObject([
      { type: 'double-press', side: 'white' },
    ]);
    expect(codes('#1 @1 CW @1.2 #2 @1.4 CB @1.6 #3 @1.8 CW')).toEqual([]);
    expect(codes('#1 @1 CW @3 CB @5 CW')).toEqual([]);
  });

  it('counts presses beside moves', () => {
    const machine = createClockWatch();
    const events: ClockWatchEvent[] = (['white', 'black', 'white'] as Side[]).flatMap((side, i) => [
      {
        type: 'ply',
        atMs: i * 10_000,
        number: i + 1,
        ply: { san: '', uci: '', state: 'confirmed', madeAtMs: 0 },
      },
      { type: 'press', atMs: i * 10_000 + 500, side },
    ]);
    for (const event of events) machine.step(event);
    expect([machine.presses, machine.movesOf('white'), machine.movesOf('black')]).toEqual([
      { white: 2, black: 1 },
      2,
      1,
    ]);
  });
});

describe('writing', () => {
  it('8.4: ends below five minutes in standard play without 30 seconds a move, once a period and side', () => {
    const text = '@0 w 5:01/1:00:00 #51 @1 w 5:00/1:00:00 @2 w 4:59/1:00:00 @3 w 4:58/1:00:00';
    expect(watch(text, controls('5400'))).toMatchObject([
      { type: 'writing-over', side: 'white', ply: 51, atMs: 2000, timeMs: 299_000 },
    ]);
    expect(codes(text, controls('5400+30'))).toEqual([]);
    expect(codes(text, controls('900+10'))).toEqual([]);
    expect(codes(text)).toEqual([]);
  });

  it('8.4: begins again with the next period', () => {
    const text =
      '@0 w 4:59/50:00 #1 @5 b 34:54/50:00 @8 b 34:54/49:57 #2 @9 w 34:54/49:57 @60 w 34:03/49:57 @2000 w 4:50/49:57';
    expect(codes(text, controls('1/3600:1800'))).toEqual(['WRITING_OVER', 'PERIOD_CHANGE', 'WRITING_OVER']);
  });
});

describe('flags for the desk', () => {
  it('have the words and severities of the table', () => {
    const text = '@0 w 0:50/1:00 #1 @1 b 10:49/1:00 @20 b 10:49/0:41 @30 b 10:49/0:51 @60 gone';
    for (const finding of watch(text, controls('2/60:600'))) {
      const flag = makeClockFlag(finding);
      const word = flag.code.replace(/\(.*$/, '') as keyof typeof FLAG_WORDS;
      expect(flag).toMatchObject({ severity: FLAG_WORDS[word][0], atMs: finding.atMs, ply: finding.ply });
    }
  });
});
