import { expect, it } from 'vitest';
import { settings } from '../../../server/contract/setting.ts';
import { envelope } from '../../support/devices.ts';
import { testWholeApi } from '../../support/whole-api.ts';

it('settings are read, changed in depth and sent back as they were answered', async () => {
  const api = await testWholeApi();
  const save = (body: unknown) => api.request('POST', '/api/geo/settings', { body });
  const saved = await save({
    providers: { vworld: { enabled: true, key: 'secret' } },
    theme: { pipe: { color: '#0000ff' } },
  });
  expect(saved).toMatchObject({ status: 200, body: { providers: { vworld: { key: { set: true } } } } });
  expect(settings.safeParse(saved.body).success).toBe(true);
  expect(saved.text).not.toContain('secret');
  expect(await save(saved.body)).toMatchObject({ status: 200, body: saved.body });
  expect(await save({ nothing: 1 })).toMatchObject({ status: 400, body: { code: 'unknown_field' } });
  expect(await save({ theme: { pipe: { width: 1 } } })).toMatchObject({
    status: 400,
    body: { code: 'unknown_field', errors: [{ path: 'theme.pipe.width' }] },
  });
  expect(await save({ providers: { openweather: { key: { set: true } } } })).toMatchObject({
    status: 400,
    body: { code: 'read_only_field', errors: [{ path: 'providers.openweather.key' }] },
  });
});

it('design conditions of the site fill what a house does not say, and the answer says so', async () => {
  const api = await testWholeApi();
  const compute = async (design_conditions: object = {}) =>
    (await api.request('POST', '/api/geo/facility/compute', { body: { envelope, bay_count: 1, design_conditions } }))
      .body;
  await api.request('POST', '/api/geo/settings', {
    body: { design_conditions: { heating_outdoor_c: -21, wind_factor: 1.1 } },
  });
  expect(await compute()).toMatchObject({
    details: { heating: { outdoor_c: -21, wind_factor: 1.1, indoor_c: 15 } },
    assumptions: {
      heating_outdoor_c: { value: -21, source: 'site' },
      wind_factor: { source: 'site' },
      heating_indoor_c: { source: 'default' },
    },
  });
  expect(await compute({ heating_outdoor_c: -5 })).toMatchObject({ details: { heating: { outdoor_c: -5 } } });
});
