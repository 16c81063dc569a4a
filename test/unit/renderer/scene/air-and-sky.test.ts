import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { airField, sensorReach_m } from '../../../../renderer/scene/air-field.ts';
import type { Outline } from '../../../../renderer/scene/bays.ts';
import { placesOf } from '../../../../renderer/features/house/use-model-places.ts';
import { spotsOnMap, sunAt, towards, towardsSun } from '../../../../renderer/scene/compass.ts';
import { sensorParts } from '../../../../renderer/scene/sensors.ts';
import type { Feature } from '../../../../server/contract/overlay.ts';

const outline: Outline = {
  roof_type: 'gable',
  structure: 'connected',
  bay_count: 2,
  bay_width_m: 8,
  length_m: 60,
  eave_height_m: 3,
  rise_m: 1,
  spacing_m: 2,
};

describe('the air between sensors', () => {
  it.each([
    ['no sensor', []],
    ['one', [{ x: 0, z: 0, value: 20 }]],
    [
      'two in detached houses',
      [
        { x: -5, z: 0, value: 20 },
        { x: 5, z: 0, value: 22 },
      ],
    ],
  ])('is not shown with %s', (name, samples) => {
    const structure = name.includes('detached') ? 'single' : 'connected';
    expect(airField({ ...outline, structure }, samples)).toBeNull();
  });

  it('lies between what they read, is theirs where they stand, and ends where they reach no further', () => {
    const anySample = fc.record({
      x: fc.double({ min: -7, max: 7, noNaN: true }),
      z: fc.double({ min: -29, max: 29, noNaN: true }),
      value: fc.double({ min: -20, max: 50, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(anySample, { minLength: 2, maxLength: 6 }), (samples) => {
        const field = airField(outline, samples);
        const values = samples.map(({ value }) => value);
        for (const { x, z, value } of field?.cells ?? []) {
          expect(value).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9);
          expect(value).toBeLessThanOrEqual(Math.max(...values) + 1e-9);
          expect(Math.min(...samples.map((one) => Math.hypot(one.x - x, one.z - z)))).toBeLessThanOrEqual(
            sensorReach_m,
          );
        }
      }),
      { numRuns: 25 },
    );
  });

  it('is the mean half way between two', () => {
    const field = airField(outline, [
      { x: 0, z: -10, value: 20 },
      { x: 0, z: 10, value: 30 },
    ]);
    const middle = field?.cells.filter(({ z }) => Math.abs(z) < 0.7) ?? [];
    const mean = middle.reduce((sum, { value }) => sum + value, 0) / middle.length;
    expect(mean).toBeCloseTo(25, 6);
  });
});

describe('directions beside a house', () => {
  it.each([
    ['north, front to the north', 0, 0, [0, 0, -1]],
    ['east, front to the north', 90, 0, [1, 0, 0]],
    ['south, front to the south', 180, 180, [0, 0, -1]],
    ['west, front to the south', 270, 180, [1, 0, 0]],
  ] as const)('%s', (_name, direction_deg, front_deg, expected) => {
    towards(direction_deg, front_deg).forEach((value, axis) => expect(value).toBeCloseTo(expected[axis] ?? NaN, 9));
  });

  it('have the sun in the south at noon of an equinox in Suwon, as high as the latitude leaves', () => {
    // Solar noon of 2026-03-20 at 127.03 E: 12:00 UTC+9 + (135 - 127.03) x 4 min + 7.5 min (equation of time).
    const sun = sunAt(Date.parse('2026-03-20T03:39:00Z'), { lat: 37.26, lng: 127.03 });
    expect(sun.azimuth_deg).toBeCloseTo(180, -0.5);
    expect(Math.abs(sun.altitude_deg - (90 - 37.26))).toBeLessThan(0.5);
    const [, up, toBack] = towardsSun(sun, 180);
    expect(up).toBeCloseTo(Math.sin((52.74 * Math.PI) / 180), 1);
    expect(toBack).toBeLessThan(0);
  });
});

describe('devices on the map', () => {
  const [lng, lat] = [127, 37.5];
  const east = 1 / (111_195 * Math.cos((lat * Math.PI) / 180));
  const north = 1 / 111_195;
  // 16 m to the east, 60 m to the north.
  const ring = [
    [lng, lat],
    [lng + 16 * east, lat],
    [lng + 16 * east, lat + 60 * north],
    [lng, lat + 60 * north],
    [lng, lat],
  ];
  const at = (e: number, n: number): number[] => [lng + e * east, lat + n * north];

  it.each([
    ['front north', 0, 4, -20],
    ['front south', 180, -4, 20],
  ])('stand in the house where they were put, %s', (_name, front_deg, x, z) => {
    const device_id = 'AAAAAAAA-0000-4000-8000-000000000001';
    const spots = spotsOnMap({ type: 'Polygon', coordinates: [ring] }, front_deg, [
      { id: device_id, position: at(12, 50) },
    ]);
    const spot = spots.get(device_id);
    expect(spot?.x).toBeCloseTo(x, 1);
    expect(spot?.z).toBeCloseTo(z, 1);
  });

  it('are those of each channel of a logger that stands in several places', () => {
    const place = (channel: number | undefined, position: number[]): Feature => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: position },
      properties: {
        type: 'device',
        name: '',
        unique_id: String(channel),
        device_id: 'a',
        ...(channel !== undefined && { channel }),
      },
    });
    const features = [place(undefined, at(8, 30)), place(0, at(4, 10)), place(1, at(12, 50)), place(7, at(0, 0))];
    const places = placesOf(features, (id, channel) => (channel < 2 ? `${id}${channel}` : undefined));
    const spots = spotsOnMap({ type: 'Polygon', coordinates: [ring] }, 0, places);
    const sensors = ['a0', 'a1', 'a2'].map((measurement_id) => {
      return { role: 'indoor_temp' as const, device_id: 'a', measurement_id, name: '' };
    });
    const parts = sensorParts({ ...outline, length_m: 60 }, sensors, spots);
    expect(parts.map(({ place: [x, , z] }) => [Math.round(x), Math.round(z)])).toEqual([[-4, 20], [4, -20], [0, 0]]); // prettier-ignore
  });

  it('give a sensor its place; an indoor one that stands outside has none', () => {
    const sensor = (role: 'indoor_temp' | 'outdoor_temp') => ({ role, device_id: 'a', measurement_id: role, name: '' });
    const spots = new Map([['a', { x: 20, z: 0 }]]);
    const [inside, outside] = sensorParts(outline, [sensor('indoor_temp'), sensor('outdoor_temp')], spots);
    expect([inside?.isAssumed, inside?.place[0]]).toEqual([true, 0]);
    expect([outside?.isAssumed, outside?.place[0]]).toEqual([false, 20]);
  });
});
