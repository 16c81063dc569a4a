import { describe, expect, it } from 'vitest';
import { alarmLimits } from '../../../../../server/contract/alarm-limits.ts';
import {
  contradictionOf,
  isContradictory,
  isGoodLimit,
  limitOf,
  rangeOf,
  settledLimit,
} from '../../../../../renderer/features/settings/limit.ts';

const humidity = alarmLimits.shape.indoor_humidity_low_pct.unwrap();

describe('a limit that may be left out', () => {
  it('is not set where the wire has null or nothing', () => {
    expect(limitOf(null)).toEqual({ isSet: false, value: null });
    expect(limitOf(undefined)).toEqual({ isSet: false, value: null });
    expect(limitOf(0)).toEqual({ isSet: true, value: 0 });
  });

  it('means nothing while it is not set, whatever was typed', () => {
    expect(settledLimit({ isSet: false, value: 12 })).toBeNull();
    expect(settledLimit({ isSet: true, value: 12 })).toBe(12);
  });

  it('is never taken for "not watched" because what was typed is no number', () => {
    expect(isGoodLimit({ isSet: true, value: null }, humidity)).toBe(false);
    expect(isGoodLimit({ isSet: false, value: null }, humidity)).toBe(true);
  });

  it('has the range of the contract', () => {
    expect(rangeOf(humidity)).toEqual({ from: 0, to: 100 });
    expect(isGoodLimit({ isSet: true, value: 100 }, humidity)).toBe(true);
    expect(isGoodLimit({ isSet: true, value: 100.1 }, humidity)).toBe(false);
  });
});

describe('two limits of one band', () => {
  const band = (low: number | null, high: number | null) => ({
    indoor_temp_low_c: limitOf(low),
    indoor_temp_high_c: limitOf(high),
  });

  it.each([
    [8, 35, undefined],
    [35, 35, 'indoor_temp_high_c'],
    [40, 35, 'indoor_temp_high_c'],
    [40, null, undefined],
    [null, 35, undefined],
  ] as const)('%s and %s: the first must stand below %s', (low, high, above) => {
    expect(contradictionOf('indoor_temp_low_c', band(low, high))).toBe(above);
    expect(contradictionOf('indoor_temp_high_c', band(low, high))).toBeUndefined();
    expect(isContradictory(band(low, high))).toBe(above !== undefined);
  });
});
