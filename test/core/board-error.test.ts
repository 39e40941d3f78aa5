import { describe, expect, it } from 'vitest';
import {
  BoardError,
  cureOf,
  FAULTS,
  type FaultCode,
  isBoardError,
  isFaultCode,
  meaningOf,
} from '../../core/board-error.ts';

const CODES = Object.keys(FAULTS) as FaultCode[];

describe('the table of faults', () => {
  it.each(CODES)('says of %s what it means and what to do, in sentences', (code) => {
    expect(code).toMatch(/^[A-Z]+(_[A-Z]+)+$/);
    expect(FAULTS[code].meaning).toMatch(/^\S.{10,}[^.]$/);
    expect(FAULTS[code].cure).toMatch(/^\S.{10,}\.$/);
  });
});

describe('BoardError', () => {
  it('carries code, context and cause, and names what it concerns in its message and its cure', () => {
    const cause = new Error('EACCES');
    const error = new BoardError('LINK_PERMISSION', { device: '/dev/ttyUSB0', group: 'dialout' }, cause);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ code: 'LINK_PERMISSION', cause });
    expect(error.message).toContain('LINK_PERMISSION');
    expect(error.message).toContain('/dev/ttyUSB0');
    expect(error.cure).toContain('dialout');
    expect(error.toFault()).toEqual({ code: 'LINK_PERMISSION', message: error.message });
  });

  it('leaves a visible gap where a value is not known', () => {
    expect(cureOf('LINK_PERMISSION')).toContain('<group>');
    expect(meaningOf('LINK_BUSY', { device: 'COM10' })).toContain('COM10');
  });

  it('adds a detail as it is', () => {
    expect(new BoardError('LINK_GONE', { device: 'x', detail: 'ECONNREFUSED' }).message).toContain(
      'ECONNREFUSED',
    );
  });

  it('does not fill in what looks like a value inside a value', () => {
    expect(meaningOf('LINK_ADDRESS', { address: '{device}', device: 'no' })).toContain('{device}');
  });
});

describe('isBoardError', () => {
  it('tells coded errors from others, and one code from another', () => {
    const error: unknown = new BoardError('LINK_BUSY');
    expect(isBoardError(error)).toBe(true);
    expect(isBoardError(error, 'LINK_GONE', 'LINK_BUSY')).toBe(true);
    expect(isBoardError(error, 'LINK_GONE')).toBe(false);
    expect(isBoardError(new Error('LINK_BUSY'), 'LINK_BUSY')).toBe(false);
    expect(isBoardError({ code: 'LINK_BUSY' })).toBe(false);
  });
});

describe('isFaultCode', () => {
  it('knows the codes of the table and no others', () => {
    expect(isFaultCode('LINK_BUSY')).toBe(true);
    expect(isFaultCode('toString')).toBe(false);
    expect(isFaultCode('link_busy')).toBe(false);
  });
});
