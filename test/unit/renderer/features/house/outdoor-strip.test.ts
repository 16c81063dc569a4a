// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import OutdoorStrip from '../../../../../renderer/features/house/OutdoorStrip.vue';
import type { Reading } from '../../../../../renderer/features/house/reading.ts';
import type { SensorRole } from '../../../../../server/contract/facility-binding.ts';
import { mounted } from '../../ui/mounted.ts';

const nowMs = Date.now();

function reading(
  role: SensorRole,
  value: number | null,
  { quality, age_s }: { quality: Reading['quality']; age_s: number },
): Reading {
  const unit = role === 'outdoor_wind' ? 'm/s' : role === 'outdoor_temp' ? 'C' : 'deg';
  return {
    binding: { role, device_id: '', measurement_id: '', name: '' },
    value,
    unit,
    timeMs: nowMs - age_s * 1_000,
    quality,
  };
}
const shown = (...readings: Reading[]) => mounted(OutdoorStrip, { props: { readings } });

it.each([
  { what: 'a station that is dead', other: reading('outdoor_temp', 3, { quality: 'stale', age_s: 259_200 }) },
  { what: 'one that reports no number', other: reading('outdoor_temp', null, { quality: 'bad', age_s: 1 }) },
])('prefers the best known sensor to $what in another house', ({ other }) => {
  const fresh = reading('outdoor_temp', 21, { quality: 'good', age_s: 10 });
  for (const order of [
    [other, fresh],
    [fresh, other],
  ])
    expect(shown(...order).text()).toMatch(/21(\.0)?\s°C/);
});

it('shows the newest where all are old, and does not change between two that are good', () => {
  const both = (quality: Reading['quality']): string => {
    const [older, newer] = [3, 9].map((value) => reading('outdoor_temp', value, { quality, age_s: 900 / value }));
    return older && newer ? shown(older, newer).text() : '';
  };
  expect(both('stale')).toMatch(/9(\.0)?\s°C/);
  expect(both('good')).toMatch(/3(\.0)?\s°C/);
});

it('draws the wind from where it comes, and from nowhere once that is old', () => {
  const wind = reading('outdoor_wind', 4, { quality: 'good', age_s: 5 });
  const from = (quality: Reading['quality']) => reading('outdoor_wind_dir', 90, { quality, age_s: 5 });
  expect(shown(wind, from('good')).find('.outdoor__wind').text()).toMatch(/90/);
  for (const quality of ['stale', 'suspect', 'bad'] as const)
    expect(shown(wind, from(quality)).find('.outdoor__wind').exists()).toBe(false);
});
