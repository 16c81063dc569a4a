import { describe, expect, it } from 'vitest';
import type { ReferencePoint } from '../../../../server/contract/commissioning-accuracy.ts';
import { sensorRoles, type SensorRole } from '../../../../server/contract/facility-binding.ts';
import { accuracyOf, allowedError, compare } from '../../../../server/domain/commissioning/accuracy.ts';

function point(number: 1 | 2, reference: number, readings: number[], role: SensorRole = 'indoor_temp'): ReferencePoint {
  const allowed = allowedError(role, reference);
  const { spread: _, ...found } = compare({ role, readings, reference, allowed });
  return { point: number, reference, allowed, ...found, instrument: '', by: 'kim', at: '2026-01-15T04:00:00.000Z' };
}

describe('a sensor against a reference', () => {
  it('is the mean of its readings less the reference, with their noise', () => {
    const found = compare({ role: 'indoor_temp', readings: [20.2, 20.4, 20.6], reference: 20, allowed: 0.5 });
    expect(found).toMatchObject({ count: 3, passed: true });
    expect(found.measured).toBeCloseTo(20.4, 12);
    expect(found.error).toBeCloseTo(0.4, 12);
    expect(found.noise).toBeCloseTo(0.2, 12); // sqrt((0.04 + 0 + 0.04) / 2)
    expect(found.spread).toBeCloseTo(0.4, 12);
    expect(compare({ role: 'indoor_temp', readings: [21], reference: 20, allowed: 0.5 })).toMatchObject({
      noise: null,
      passed: false,
    });
  });

  it('is compared the shorter way round where it is a direction', () => {
    const found = compare({ role: 'outdoor_wind_dir', readings: [358, 2], reference: 2, allowed: 5 });
    expect(found).toMatchObject({ measured: 0, error: -2, passed: true });
    const [north, east] = [point(1, 2, [358], 'outdoor_wind_dir'), point(2, 90, [92], 'outdoor_wind_dir')];
    expect(accuracyOf('outdoor_wind_dir', 'deg', [north, east])).toMatchObject({ gain: null, passed: true });
  });

  it('gives the line through both points: ice and a warm bath', () => {
    // 2 % too steep and 0.1 K too high: 0 -> 0.1, 20 -> 20.5.
    const found = accuracyOf('indoor_temp', 'C', [point(1, 0, [0.1]), point(2, 20, [20.5])]);
    expect(found.gain).toBeCloseTo(1.02, 12);
    expect(found.offset).toBeCloseTo(0.1, 12);
    expect(found).toMatchObject({ apart: 2, passed: true });
  });

  it('is not judged by one point, nor by two that lie close together', () => {
    expect(accuracyOf('indoor_temp', 'C', [])).toMatchObject({ gain: null, apart: null, passed: null });
    expect(accuracyOf('indoor_temp', 'C', [point(1, 20, [20])])).toMatchObject({ gain: null, apart: 2, passed: null });
    const close = [point(1, 20, [20]), point(2, 21.9, [21.9])];
    expect(accuracyOf('indoor_temp', 'C', close)).toMatchObject({ gain: null, offset: null, passed: null });
  });

  it('has failed by one error, whatever the other', () => {
    expect(accuracyOf('indoor_temp', 'C', [point(1, 20, [20.6])]).passed).toBe(false);
    const both = accuracyOf('indoor_temp', 'C', [point(1, 0, [0]), point(2, 20, [20.6])]);
    expect(both).toMatchObject({ gain: 1.03, passed: false });
  });

  it('counts the last of each number and keeps the others', () => {
    const points = [point(1, 0, [3]), point(2, 20, [20]), point(1, 0, [0])];
    expect(accuracyOf('indoor_temp', 'C', points)).toMatchObject({ gain: 1, offset: 0, passed: true, points });
  });

  it('allows an error in every role, more where the reference is larger', () => {
    for (const role of sensorRoles) {
      expect(allowedError(role, 0)).toBeGreaterThan(0);
      expect(allowedError(role, 1000)).toBeGreaterThanOrEqual(allowedError(role, 0));
    }
    expect(allowedError('indoor_co2', 1000)).toBe(80);
    // 10 W/m2 of sun are 1,111 lx or 20.6 umol/m2/s, and a tenth of the reference each.
    expect(allowedError('indoor_light', 500, 'W/m2')).toBeCloseTo(60, 6);
    expect(allowedError('indoor_light', 55_500, 'lx')).toBeCloseTo(1_111 + 5_550, -1);
    expect(allowedError('outdoor_solar', 1_028, 'umol/m2/s')).toBeCloseTo(20.6 + 102.8, 0);
  });
});
