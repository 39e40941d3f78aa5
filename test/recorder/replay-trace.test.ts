import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY, makePlacement, OCCUPIED } from '../../core/placement.ts';
import { START_FEN } from '../../core/position.ts';
import { parseTrace, parseTraceEvents, TOKEN_MS } from '../../recorder/replay/trace.ts';

const events = (text: string, occupancy = false) => {
  const parsed = parseTraceEvents(text, occupancy);
  if (!parsed.ok) throw new Error(parsed.fault.message);
  return parsed.value;
};

describe('the events of a trace', () => {
  it('are read token by token', () => {
    expect(events('-e2 +e4=P CW CB LINK- LINK+')).toEqual([
      { type: 'square', atMs: 0, square: 12, cell: EMPTY },
      { type: 'square', atMs: 120, square: 28, cell: 1 },
      { type: 'press', atMs: 240, side: 'white' },
      { type: 'press', atMs: 360, side: 'black' },
      { type: 'link', atMs: 480, link: 'lost' },
      { type: 'link', atMs: 600, link: 'up' },
    ]);
    expect(TOKEN_MS).toBe(120);
  });

  it('are as far apart as the pause between them says, and else as tokens are', () => {
    expect(events('-e2 ~900 +e4=P').map((e) => e.atMs)).toEqual([0, 900]);
    expect(events('~500 -e2 ~200 ~300 +e4=P CW').map((e) => e.atMs)).toEqual([500, 1000, 1120]);
    expect(events('-e2 ~0 +e4=P').map((e) => e.atMs)).toEqual([0, 0]);
    expect(events('-e2 ~60 -d2 ~5000').map((e) => e.atMs)).toEqual([0, 60]);
  });

  it('may hold a picture of the whole board', () => {
    const [dump] = events('D=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR');
    expect(dump).toMatchObject({ type: 'dump', atMs: 0 });
    expect(dump?.type === 'dump' && makePlacement(dump.placement)).toBe(START_FEN.split(' ')[0]);
  });

  it('tell only that something stands there when the board knows occupancy only', () => {
    expect(events('+e4=P +d5=?', true)).toMatchObject([{ cell: OCCUPIED }, { cell: OCCUPIED }]);
    expect(events('+d5=?')).toMatchObject([{ cell: OCCUPIED }]);
    const [dump] = events('D=k7/8/8/8/8/8/8/K6?', true);
    expect(dump?.type === 'dump' && makePlacement(dump.placement)).toBe('?7/8/8/8/8/8/8/?6?');
  });

  it.each([
    'e2',
    '-e9',
    '-e2=P',
    '+e4',
    '+e4=',
    '+e4=X',
    '+e4=PP',
    '+e4=.',
    'cw',
    'C',
    '~',
    '~x',
    '~-5',
    '~9999999999',
    'D=',
    'D=8/8',
    'LINK',
    '=P',
    '-',
    '+',
  ])('are not read from %s', (token) => {
    const parsed = parseTraceEvents(`-e2 ${token} CW`, false);
    expect(parsed).toMatchObject({ ok: false, fault: { code: 'TRACE_SYNTAX' } });
    expect(!parsed.ok && parsed.fault.message).toContain(token);
  });

  it('never throw and never go back in time, whatever the text', () => {
    const token = fc.oneof(
      fc.constantFrom('-e2', '+e4=P', 'CW', 'CB', '~100', 'LINK-', 'D=8/8/8/8/8/8/8/8'),
      fc.string({ maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(token), fc.boolean(), (tokens, occupancy) => {
        const parsed = parseTraceEvents(tokens.join(' '), occupancy);
        if (!parsed.ok) {
          expect(parsed.fault.code).toBe('TRACE_SYNTAX');
          return;
        }
        const times = parsed.value.map((e) => e.atMs);
        expect(times).toEqual([...times].sort((a, b) => a - b));
      }),
    );
  });
});

describe('a trace', () => {
  const read = (text: string) => {
    const parsed = parseTrace(text);
    if (!parsed.ok) throw new Error(parsed.fault.message);
    return parsed.value;
  };

  it('is lines of names and values, and what only tests use is skipped', () => {
    expect(
      read(
        '# a comment\nfen: start\nev: -e2 +e4=P\nout: e4\nout: Qh4#\nflags: -\nmay: TOUCH\nend: nomatch\n',
      ),
    ).toMatchObject({
      start: START_FEN,
      variant: 'standard',
      rotated: false,
      occupancy: false,
      events: [{}, {}],
    });
  });

  it('says how the board stands, what it senses and by which rules is played', () => {
    expect(
      read('fen: 4k3/8/8/8/8/8/8/5K1R w H - 0 1\nv960: yes\nrot: yes\nocc: yes\nev: +e4=?'),
    ).toMatchObject({
      start: '4k3/8/8/8/8/8/8/5K1R w H - 0 1',
      variant: 'chess960',
      rotated: true,
      occupancy: true,
    });
  });

  it('begins from the initial position when it does not say from where', () => {
    expect(read('ev: -e2')).toMatchObject({ start: START_FEN, events: [{ square: 12 }] });
    expect(read('')).toMatchObject({ start: START_FEN, events: [] });
  });

  it('may go on over several lines, and end them in any way', () => {
    expect(read('ev: -e2\r\nev: +e4=P\r\n').events.map((e) => e.atMs)).toEqual([0, 120]);
  });

  it('has a name before every value', () => {
    expect(parseTrace('fen: start\n-e2 +e4=P')).toMatchObject({ ok: false, fault: { code: 'TRACE_SYNTAX' } });
  });
});
