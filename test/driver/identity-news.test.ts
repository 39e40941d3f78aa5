import { describe, expect, it } from 'vitest';
import { identityNews } from '../../driver/identity-news.ts';

describe('identityNews', () => {
  it('is what is said for the first time, and what is said otherwise than before', () => {
    const known = { serialNumber: '01025', batteryPercent: 88 };
    expect(identityNews({}, known)).toEqual(known);
    expect(identityNews(known, { ...known, firmware: '1.8', batteryPercent: 87 })).toEqual({
      firmware: '1.8',
      batteryPercent: 87,
    });
  });

  it('is nothing when all is known', () => {
    expect(identityNews({ serialNumber: '01025', firmware: '1.8' }, { serialNumber: '01025' })).toBe(
      undefined,
    );
    expect(identityNews({}, {})).toBe(undefined);
  });
});
