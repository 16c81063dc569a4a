import { expect, it } from 'vitest';
import { envelope } from '../../support/devices.ts';
import { drawn } from '../../support/maps.ts';
import { testWholeApi } from '../../support/whole-api.ts';

it('a map brings back what went with it, not what went just before', async () => {
  const api = await testWholeApi(); // its clock stands still
  const send = async (method: string, path: string, body?: unknown) =>
    (await api.request(method, path, body === undefined ? {} : { body })).body as Answered; // checked by the API
  const { map_uuid } = await send('POST', '/api/geo/designs', { name: 'Farm', lat: 37, lng: 127, zoom: 18 });
  const shape = drawn({ type: 'facility' });
  await send('POST', '/api/geo/overlays', { geo_id: map_uuid, features: [shape] });
  const house = { name: 'House', shape_uuid: shape.properties.unique_id, envelope };
  const former = await send('POST', '/api/geo/facility', house);
  await send('DELETE', `/api/geo/facility/${former.unique_id}`);
  const latter = await send('POST', '/api/geo/facility', house);
  expect(await send('DELETE', `/api/geo/designs/${map_uuid}`)).toMatchObject({
    deleted_facilities: [latter.unique_id],
  });
  expect(await send('POST', `/api/geo/designs/${map_uuid}/restore`)).toMatchObject({ map_uuid });
  const { facilities } = await send('GET', '/api/geo/facility/list');
  expect(facilities.map(({ unique_id }) => unique_id)).toEqual([latter.unique_id]);
});

interface Answered {
  map_uuid: string;
  unique_id: string;
  facilities: { unique_id: string }[];
}
