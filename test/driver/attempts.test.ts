import { describe, expect, it } from 'vitest';
import { dgt } from '../../boards/dgt/definition.ts';
import { BoardError, type FaultCode } from '../../core/board-error.ts';
import { Attempts } from '../../driver/attempts.ts';
import { backoffMs, PROBE_BACKOFF, RECONNECT_BACKOFF } from '../../driver/backoff.ts';
import type { BoardUpdate } from '../../driver/connection.ts';

const UP: BoardUpdate = { type: 'link', atMs: 0, link: 'up' };
const READY: BoardUpdate = { type: 'session', atMs: 0, state: 'ready' };
const error = (code: FaultCode) => new BoardError(code, { device: 'x' });

const OTHER = { ...dgt, id: 'other' };

describe('backoffMs', () => {
  it('doubles from the first wait to the longest and stays there', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 1000].map((failures) => backoffMs(failures));
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000, 5000]);
  });

  it('takes no failure for one', () => {
    expect(backoffMs(0, { firstMs: 7, maxMs: 70 })).toBe(7);
  });
});

describe('Attempts', () => {
  it('waits longer after each failure and little again once the board has answered', () => {
    const attempts = new Attempts([dgt], RECONNECT_BACKOFF);
    expect([1, 2, 3].map(() => attempts.failed(error('LINK_GONE'), 5).inMs)).toEqual([250, 500, 1000]);
    attempts.saw(READY);
    expect(attempts.failed(error('LINK_GONE'), 6).inMs).toBe(250);
  });

  it('tells of a loss only when the link was up, and tells why', () => {
    const attempts = new Attempts([dgt], RECONNECT_BACKOFF);
    attempts.saw(UP);
    const first = attempts.failed(error('LINK_GONE'), 7);
    expect(first.updates).toMatchObject([
      { type: 'link', link: 'lost', atMs: 7, fault: { code: 'LINK_GONE' } },
      { type: 'sensor', event: { type: 'link', link: 'lost', atMs: 7 } },
      { type: 'link', link: 'retrying', atMs: 7, inMs: 250, fault: { code: 'LINK_GONE' } },
    ]);
    const second = attempts.failed(error('LINK_BUSY'), 9);
    expect(second.updates).toMatchObject([
      { type: 'link', link: 'retrying', atMs: 9, inMs: 500, fault: { code: 'LINK_BUSY' } },
    ]);
  });

  it('gives up a port that this system cannot open', () => {
    const attempts = new Attempts([dgt], RECONNECT_BACKOFF);
    expect(attempts.failed(error('LINK_UNSUPPORTED'), 1)).toEqual({ updates: [] });
  });

  it('asks as every kind of board at once, then waits, and keeps to the kind that has answered', () => {
    const attempts = new Attempts([dgt, OTHER], PROBE_BACKOFF);
    const seen: unknown[] = [];
    for (const code of ['LINK_SILENT', 'LINK_FOREIGN', 'LINK_SILENT'] as const) {
      seen.push([attempts.kind().id, attempts.failed(error(code), 1).inMs]);
    }
    expect(seen).toEqual([
      ['dgt', 0],
      ['other', 1000],
      ['dgt', 0],
    ]);
    attempts.saw(READY);
    expect(attempts.kind().id).toBe('other');
    expect(attempts.failed(error('LINK_SILENT'), 2).inMs).toBe(250);
    expect(attempts.kind().id).toBe('other');
  });

  it('does not take a port that is gone for an answer to the question which kind it is', () => {
    const attempts = new Attempts([dgt, OTHER], PROBE_BACKOFF);
    expect(attempts.failed(error('LINK_GONE'), 1).inMs).toBe(1000);
    expect(attempts.kind().id).toBe('dgt');
  });
});
