import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Placement } from '../../../../server/db/repositories/placement.ts';
import { PipeService } from '../../../../server/services/pipe/pipe.ts';
import { actor } from '../../../support/accounts.ts';
import { square } from '../../../support/maps.ts';

/** 1e-5 degrees are 1.1 m to the north and 0.89 m to the east here. */
const [lng0, lat0] = [127, 37];
const place = (east: number, north: number): [number, number] => [lng0 + east * 1e-5, lat0 + north * 1e-5];

/** A service of its own for a map with a thousand devices among houses, on which nothing can be saved. */
function crowdedMap() {
  const at = (one: number, step: number, size: number): number => (one * step) % size;
  const devices = Array.from({ length: 1000 }, (_, one): Placement => {
    const [lng, lat] = place(at(one, 37, 1511), at(one, 53, 1301));
    return { device_id: randomUUID(), lat, lng, map_uuid: 'map', feature_uuid: randomUUID() };
  });
  const houses = Array.from({ length: 80 }, (_, one) => ({
    geometry: square(place(at(one, 331, 1499), 0)[0], place(0, at(one, 277, 1289))[1], 0.0002),
    properties: { type: 'facility', name: '', unique_id: randomUUID() },
  }));
  const pipes = new PipeService({
    placements: { placements: () => devices, shape: () => undefined },
    facilities: { list: () => [] },
    overlays: {
      get: ({ type }) => Promise.resolve(Buffer.from(JSON.stringify({ features: type === 'facility' ? houses : [] }))),
      saveDelta: () => Promise.reject(new Error('nothing is to be saved')),
    },
    deviceChannels: () => new Map(devices.map(({ device_id }) => [device_id, []])),
    prices: () => ({ currency: 'KRW', prices: [] }),
  });
  return { pipes, device_ids: devices.map(({ device_id }) => device_id) };
}

it('says how far a plan of a thousand devices is, ends it on demand with nothing saved, and leaves the thread to the next', async () => {
  const { pipes, device_ids } = crowdedMap();
  const cancel = new AbortController();
  const groups = Array.from({ length: 200 }, (_, at) => device_ids.slice(1 + at * 4, 5 + at * 4));
  const asked = {
    geo_id: 'map',
    device_ids,
    save: true,
    options: { orthogonal: false },
    hydraulics: { flow_l_h: 200, pressure_bar: 1, groups },
  };
  const told: number[] = [];
  const report = (done: number): void => {
    told.push(done);
    if (done > 0) cancel.abort();
  };
  const plan = pipes.generate(asked, actor(), { report, signal: cancel.signal });
  const second = new AbortController();
  const waiting = pipes.generate(asked, actor(), { signal: second.signal });
  setTimeout(() => second.abort());
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  expect(cancel.signal.aborted).toBe(false);
  await expect(plan).rejects.toMatchObject({ name: 'AbortError' });
  expect(told.at(-1)).toBeLessThan(1000);
  const next = await pipes.generate({ geo_id: 'map', device_ids: device_ids.slice(0, 3) }, actor());
  expect(next.features.length).toBeGreaterThan(0);
  await pipes.close();
});
