import { expect, it } from 'vitest';
import { presentWind } from '../../../../../renderer/features/house/present-wind.ts';

const wind = (speed: number, quality: 'good' | 'stale' = 'good') => [
  { binding: { role: 'outdoor_wind' as const }, quality, value: speed },
  { binding: { role: 'outdoor_wind_dir' as const }, quality, value: 356 },
];

it.each([
  { what: 'a calm as a calm', speed: 0.2, expected: { speed_m_s: 0 } },
  { what: 'a storm as a storm', speed: 18.3, expected: { speed_m_s: 18 } },
  {
    what: 'more than is computed as the most, with what it is',
    speed: 27.5,
    expected: { speed_m_s: 20, beyond_m_s: 27.5 },
  },
])('takes $what', ({ speed, expected }) => {
  expect(presentWind(wind(speed), [])).toEqual({ direction_deg: 0, ...expected });
});

it.each([
  { vents: [40, 40], expected: { opening_pct: 40 } },
  { vents: [0, 100, null], expected: { opening_pct: 50, apart_pct: [0, 100] } },
  { vents: [null], expected: {} },
])('opens all vents by the mean of those that are known, and says when it is a mean: $vents', ({ vents, expected }) => {
  expect(presentWind(wind(3), vents)).toEqual({ speed_m_s: 3, direction_deg: 0, ...expected });
});

it('takes no wind that is not of now', () => {
  expect(presentWind(wind(3, 'stale'), [40])).toBeUndefined();
});
