import { expect, it } from 'vitest';
import type { Facility } from '../../../server/contract/facility.ts';
import { HouseModels } from '../../../server/daemon/house-models.ts';
import { wateredHouse } from '../../support/watered-house.ts';

function known() {
  const place = { lat: 52, lng: 5, time_zone: 'UTC' };
  const site: { facility: Facility | undefined } = { facility: wateredHouse };
  const logged: string[] = [];
  const models = new HouseModels(
    { facility: () => site.facility, place: () => place },
    (line) => void logged.push(line),
  );
  return { models, site, logged, of: () => models.of(wateredHouse.unique_id) };
}

it('is worked out anew once the house was changed', () => {
  const { site, of } = known();
  const first = of();
  expect(first?.floor_area_m2).toBe(400);
  expect(of()).toBe(first);
  site.facility = { ...wateredHouse, bay_count: 3, revision: 2 };
  expect(of()?.floor_area_m2).toBe(1200);
});

it('stays as it was once the house is gone, or has a covering that nobody knows', () => {
  const { site, of, logged } = known();
  site.facility = undefined;
  expect(of()).toBeUndefined();
  site.facility = wateredHouse;
  const first = of();
  site.facility = undefined;
  expect(of()).toBe(first);
  site.facility = { ...wateredHouse, envelope: { ...wateredHouse.envelope, material: 'gold' }, revision: 2 };
  expect(of()).toBe(first);
  expect(of()).toBe(first);
  expect(logged).toEqual([expect.stringContaining('"House" stays as it was')]);
});
