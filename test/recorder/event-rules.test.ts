import { describe, expect, it } from 'vitest';
import { areSameRules, lawsOptionsOf, parseTimeControls } from '../../recorder/event-rules.ts';

describe('rules of the event', () => {
  it('has one time control for both players, or one for each', () => {
    expect(parseTimeControls('40/7200+30:1800+30')).toMatchObject({
      ok: true,
      value: { white: '40/7200+30:1800+30', black: '40/7200+30:1800+30' },
    });
    expect(parseTimeControls('300, 180')).toMatchObject({ ok: true, value: { white: '300', black: '180' } });
  });

  it.each(['', '5+', '300,', ',300', '300,180,60', '40/', 'blitz'])('cannot read %j', (text) => {
    expect(parseTimeControls(text)).toMatchObject({ ok: false, fault: { code: 'TIME_CONTROL_SYNTAX' } });
  });

  it('reaches the Laws: what was said, and nothing else', () => {
    expect(lawsOptionsOf({})).toEqual({});
    expect(lawsOptionsOf({ regime: 'limited', rate: 'blitz' })).toEqual({ regime: 'limited', rate: 'blitz' });
    expect(lawsOptionsOf({ white: '180+2' })).toMatchObject({
      controls: { white: { type: 'periods' }, black: { type: 'unknown' } },
    });
  });

  it('is the same when every part is', () => {
    expect(areSameRules({ white: '300' }, { white: '300' })).toBe(true);
    expect(areSameRules({ white: '300' }, { white: '300', regime: 'full' })).toBe(false);
  });
});
