import { expect, it } from 'vitest';
import { housesOfAlike } from '../../../../renderer/ui/alike-devices.ts';

const houses = ['North', 'South'].map((name) => ({
  unique_id: name,
  name,
  sensors: [
    { role: 'indoor_temp' as const, device_id: `${name}-air`, measurement_id: 'air', name: '' },
    { role: 'outdoor_temp' as const, device_id: 'weather', measurement_id: 'air', name: '' },
  ],
  actuators: [{ role: 'heater' as const, device_id: `${name}-heater`, name: '' }],
}));

it('names the house of devices that are called the same, and of no other', () => {
  const devices = [
    { unique_id: 'North-air', kind: 'input' as const, name: 'Air' },
    { unique_id: 'South-air', kind: 'input' as const, name: 'Air' },
    { unique_id: 'stray', kind: 'input' as const, name: 'Air' },
    { unique_id: 'weather', kind: 'input' as const, name: 'Air' },
    { unique_id: 'North-heater', kind: 'output' as const, name: 'Air' },
    { unique_id: 'South-heater', kind: 'output' as const, name: 'Boiler' },
  ];
  expect([...housesOfAlike(devices, houses)]).toEqual([
    ['North-air', 'North'],
    ['South-air', 'South'],
  ]);
});
