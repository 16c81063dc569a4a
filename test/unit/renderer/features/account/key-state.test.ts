import { describe, expect, it } from 'vitest';
import { momentIn } from '../../../../../renderer/i18n/site-time.ts';
import { expiryOf, keyStateOf } from '../../../../../renderer/features/account/key-state.ts';

const nowMs = Date.parse('2026-03-01T06:00:00.000Z');
const inSeoul = (written: string): string | null => momentIn('Asia/Seoul', written);

describe('the state of a key', () => {
  it.each([
    [{ expires_at: null, revoked_at: null }, 'active'],
    [{ expires_at: '2026-03-01T06:00:00.001Z', revoked_at: null }, 'active'],
    [{ expires_at: '2026-03-01T06:00:00.000Z', revoked_at: null }, 'expired'],
    [{ expires_at: '2027-01-01T00:00:00.000Z', revoked_at: '2027-01-01T00:00:00.000Z' }, 'expired'],
    [{ expires_at: '2026-02-01T06:00:00.000Z', revoked_at: '2026-01-01T00:00:00.000Z' }, 'revoked'],
  ] as const)('%o is %s', (key, state) => {
    expect(keyStateOf(key, nowMs)).toBe(state);
  });
});

describe('when a key ends', () => {
  it('is never, or a number of days from now', () => {
    expect(expiryOf('never', '', nowMs, inSeoul)).toBeNull();
    expect(expiryOf('month', '', nowMs, inSeoul)).toBe('2026-03-31T06:00:00.000Z');
    expect(expiryOf('year', '', nowMs, inSeoul)).toBe('2027-03-01T06:00:00.000Z');
  });

  it('is the end of the day that was chosen, by the clock of the place', () => {
    expect(expiryOf('date', '2026-06-30', nowMs, inSeoul)).toBe('2026-06-30T14:59:59.000Z');
  });

  it('is not known for a day that has passed or is none', () => {
    expect(expiryOf('date', '2026-02-01', nowMs, inSeoul)).toBeUndefined();
    expect(expiryOf('date', '', nowMs, inSeoul)).toBeUndefined();
  });
});
