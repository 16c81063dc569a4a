import { describe, expect, it } from 'vitest';
import { mapLayers, mapServiceIds, mapServices, unusableMapServices } from '../../../server/contract/map-service.ts';
import { providers, providersPatch } from '../../../server/contract/provider.ts';
import { defaultSettings } from '../../../server/services/setting/defaults.ts';
import { publicUpstreams } from '../../../server/upstream/upstreams.ts';

describe.each(mapServiceIds)('the tile service %s of the list', (id) => {
  const service = mapServices[id];
  const layers = mapLayers.filter((layer) => layer.id === id);

  it('has layers by HTTPS at one origin, each with its place of zoom, column and row, and of a key where it needs one', () => {
    expect(layers.length).toBeGreaterThan(0);
    const upstream = publicUpstreams().maps[id];
    expect(upstream).toMatchObject({ policy: 'public', perMinute: service.per_minute });
    for (const { url, max_zoom } of layers) {
      expect(new URL(url).origin).toBe(upstream.origin);
      expect(url).toMatch(/^https:/);
      const places = [...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
      expect(places).toEqual(service.needs_key ? ['key', 'x', 'y', 'z'] : ['x', 'y', 'z']);
      expect(max_zoom).toBeGreaterThan(0);
    }
  });

  it('says whose maps they are, under which terms, and for how long they may be kept', () => {
    expect(service.attribution).not.toBe('');
    expect(service.terms_url).toMatch(/^https:/);
    expect(service.keep_days).toBeGreaterThanOrEqual(service.fresh_days);
    if (service.may_download) expect(service.keep_days).toBeGreaterThan(0);
    for (const code of service.countries) expect(code).toMatch(/^[A-Z]{2}$/);
  });

  it('is a provider of the settings that is off until somebody turns it on, and takes a key only where it needs one', () => {
    expect(defaultSettings('UTC').providers[id].enabled).toBe(false);
    expect(providersPatch.safeParse({ [id]: { enabled: true, key: 'abc' } }).success).toBe(service.needs_key);
    expect(Object.keys(providers.shape)).toContain(id);
  });
});

it('offers no areas of services that forbid them', () => {
  const downloadable = mapServiceIds.filter((id) => mapServices[id].may_download);
  expect(downloadable).toEqual(['nasa_gibs', 'usgs', 'pdok']);
});

it('names those that cannot be used, and is none of them', () => {
  expect(unusableMapServices.map(({ name }) => name)).toEqual(['Kakao Map', 'NAVER Maps']);
});
