import { describe, expect, it } from 'vitest';
import type { Feature } from '../../../../../server/contract/overlay.ts';
import {
  firstWallMiddle,
  groundOptions,
  lineChoices,
  newGroundDraft,
} from '../../../../../renderer/features/map/pipe-ground.ts';
import { hydraulicsOf, newSizeDraft } from '../../../../../renderer/features/map/pipe-sizes.ts';

const drawn = (type: Feature['properties']['type'], geometry: Feature['geometry'], more: object = {}): Feature => ({
  type: 'Feature',
  geometry,
  properties: { type, name: type, unique_id: `${type} id`, ...more },
});
const line: Feature['geometry'] = { type: 'LineString', coordinates: [[127, 37], [127.1, 37]] }; // prettier-ignore
const wall: Feature['geometry'] = { type: 'Polygon', coordinates: [[[127, 37], [127.2, 37], [127, 38], [127, 37]]] }; // prettier-ignore

describe('the ground of a plan', () => {
  it('asks for nothing that was not entered', () => {
    expect(groundOptions(newGroundDraft())).toEqual({});
  });

  it.each([
    [50, 0.5],
    [null, 1],
    [0, 0.05],
    [300, 1],
  ])('counts a corridor of %s percent as %f', (corridor_pct, weight) => {
    const draft = { ...newGroundDraft(), corridors: ['a'], corridor_pct };
    expect(groundOptions(draft)).toEqual({ corridors: [{ feature_id: 'a', weight }] });
  });

  it('offers lines, without those of the plan that would be replaced', () => {
    const features = [drawn('pipe', line, { plan_id: 'old' }), drawn('pipe', wall), drawn('reference', line)];
    const nameOf = ({ properties }: Feature): string => properties.name;
    expect(lineChoices(features, ['pipe'], { replaced: 'old', nameOf })).toEqual([]);
    expect(lineChoices(features, ['pipe'], { replaced: undefined, nameOf })).toHaveLength(1);
  });

  it('begins an entrance in the middle of the first wall', () => {
    const place = firstWallMiddle(drawn('facility', wall));
    expect(place?.lng).toBeCloseTo(127.1, 9);
    expect(place?.lat).toBe(37);
  });
});

describe('what pipes are sized for', () => {
  const draft = { ...newSizeDraft(), isWanted: true };

  it('takes a pump curve in place of a pressure, and none of one point', () => {
    const pump = [
      { flow_m3_h: 0, head_m: 40 },
      { flow_m3_h: 10, head_m: 20 },
      { flow_m3_h: null, head_m: 10 },
    ];
    const asked = hydraulicsOf({ ...draft, source_bar: 3, pump }, ['v'], ['p']);
    expect(asked).toMatchObject({ pump_curve: pump.slice(0, 2) });
    expect(asked).not.toHaveProperty('source_pressure_bar');
    expect(hydraulicsOf({ ...draft, pump: pump.slice(0, 1) }, ['v'])).toBeNull();
  });

  it('opens groups by their numbers, those without one first, at their elevations', () => {
    const own = { b: { group: 2 }, c: { group: 1, elevation_m: 3 }, p: { elevation_m: -1 } };
    const asked = hydraulicsOf({ ...draft, turns: 'groups', own }, ['a', 'b', 'c'], ['p']);
    expect(asked?.groups).toEqual([['a', 'c'], ['b']]);
    expect(asked?.devices).toEqual([
      { device_id: 'p', elevation_m: -1 },
      { device_id: 'c', elevation_m: 3 },
    ]);
  });
});
