import { createPinia } from 'pinia';
import { describe, expect, it } from 'vitest';
import { createApp, effectScope } from 'vue';
import { ApiClient, clientKey } from '../../../../renderer/client/client.ts';
import { useSettings } from '../../../../renderer/stores/settings.ts';
import { useForecast } from '../../../../renderer/ui/forecast.ts';
import { defaultSettings } from '../../../../server/services/setting/defaults.ts';

const answer = { latitude: 37, longitude: 127, hourly: { time: ['2026-03-01T00:00'], temperature_2m: [4] } };

async function asked(headers: Record<string, string>, isEnabled = true) {
  const questions: string[] = [];
  const client = new ApiClient(async (address) => {
    questions.push(address as string); // as it asks
    return new Response(JSON.stringify(answer), { headers });
  });
  const app = createApp({}).use(createPinia()).provide(clientKey, client);
  const scope = effectScope();
  const forecast = app.runWithContext(() =>
    scope.run(() => {
      const site = defaultSettings('UTC');
      site.providers.openmeteo.enabled = isEnabled;
      useSettings().site = site;
      return useForecast();
    }),
  );
  if (forecast === undefined) throw new Error('the scope has ended');
  if (isEnabled) await expect.poll(() => forecast.answer.value).toEqual(answer);
  const { age_s, isOld, isOff } = forecast;
  const told = { age_s: age_s.value, isOld: isOld.value, isOff: isOff.value, questions };
  scope.stop();
  return told;
}

describe('the forecast', () => {
  it.each([
    ['new', {}, 0, false],
    ['of ten minutes ago', { Age: '600', 'X-Cache': 'HIT' }, 600, false],
    ['that could not be renewed', { Age: '1000', 'X-Cache': 'STALE' }, 1_000, true],
    ['of three hours ago, whatever the server says', { Age: '10800', 'X-Cache': 'HIT' }, 10_800, true],
  ])('%s says its age, and whether it is old', async (_, headers, age_s, isOld) => {
    const told = await asked(headers);
    expect(told.isOld).toBe(isOld);
    expect(Math.abs((told.age_s ?? NaN) - age_s)).toBeLessThan(2);
    expect(told.questions).toHaveLength(1);
  });

  it('of a place that is no more the site is shown no longer', async () => {
    const replies = [Promise.resolve(Response.json(answer)), Promise.withResolvers<Response>().promise];
    const client = new ApiClient(async () => replies.shift() ?? Promise.reject(new TypeError('failed')));
    const app = createApp({}).use(createPinia()).provide(clientKey, client);
    const scope = effectScope();
    await app.runWithContext(() =>
      scope.run(async () => {
        const settings = useSettings();
        const site = defaultSettings('UTC');
        site.providers.openmeteo.enabled = true;
        settings.site = site;
        const forecast = useForecast();
        await expect.poll(() => forecast.answer.value).toEqual(answer);
        settings.site = { ...site, lat: site.lat + 1 };
        await expect.poll(() => forecast.answer.value).toBeNull();
        expect(forecast.told.value).toBeNull();
      }),
    );
    scope.stop();
  });

  it('is not asked for where it is switched off', async () => {
    expect(await asked({}, false)).toEqual({ age_s: null, isOld: false, isOff: true, questions: [] });
  });
});
