import { expect, it } from 'vitest';
import { shownLevel } from '../../../../../renderer/features/house/house-level.ts';
import type { RuntimeLevel, SensorBinding } from '../../../../../server/contract/facility.ts';

const sensors = [{ role: 'indoor_temp', device_id: 'probe', measurement_id: 'air', name: 'Air' }] as SensorBinding[];

it.each<[RuntimeLevel | undefined, SensorBinding[], 'running' | 'completed', ReturnType<typeof shownLevel>]>([
  [undefined, sensors, 'running', undefined],
  ['idle', sensors, 'completed', 'idle'],
  ['idle', [], 'completed', undefined],
  ['unknown', sensors, 'completed', 'unknown'],
  ['unknown', [], 'completed', 'unknown'],
  ['unknown', sensors, 'running', 'commissioning'],
  ['active', sensors, 'running', 'commissioning'],
  ['warning', sensors, 'running', 'warning'],
  ['emergency', [], 'running', 'emergency'],
])('%s with sensors %j during a check that is %s is shown as %s', (level, bound, status, shown) => {
  expect(shownLevel({ sensors: bound }, level, { status })).toBe(shown);
});
