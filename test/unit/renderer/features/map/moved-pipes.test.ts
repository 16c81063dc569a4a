import { describe, expect, it } from 'vitest';
import { movedDevices, plansOf } from '../../../../../renderer/features/map/moved-pipes.ts';
import type { Feature } from '../../../../../server/contract/overlay.ts';

function device(device_id: string, coordinates: number[]): Feature {
  return {
    type: 'Feature',
    geometry: { type: 'Point', coordinates },
    properties: { type: 'device', name: '', unique_id: `at-${device_id}`, device_id },
  };
}

function pipe(from: string, to: string, coordinates: number[][]): Feature {
  return {
    type: 'Feature',
    geometry: { type: 'LineString', coordinates },
    properties: { type: 'pipe', name: '', unique_id: `${from}-${to}`, plan_id: 'plan', from, to },
  };
}

const here = [127, 37];
const there = [127.001, 37];
const features = [
  device('pump', here),
  device('valve', there),
  pipe('pump', 'J1', [here, there]),
  pipe('J1', 'valve', [there, there]),
];

describe('movedDevices', () => {
  it.each([
    ['nobody where all stand at their pipes', features, []],
    ['a device that was moved', features.with(1, device('valve', [127.001, 37.0001])), ['valve']],
    ['nobody for a slip of a hand', features.with(1, device('valve', [127.001, 37.000_001])), []],
    ['nobody for a device that is gone', features.slice(2), []],
    [
      'nobody for lines that a person drew',
      [
        device('pump', there),
        { ...pipe('pump', 'J1', [here, there]), properties: { type: 'pipe' as const, name: '', unique_id: 'x' } },
      ],
      [],
    ],
  ])('names %s', (_, given, expected) => {
    expect(movedDevices(given)).toEqual(expected);
  });

  it('knows the plans whose pipes are there', () => {
    expect(plansOf(features)).toEqual(['plan']);
  });
});
