import { describe, expect, it, onTestFinished } from 'vitest';
import { composeProxies } from '../../../../server/composition/proxies.ts';
import type { ParcelService } from '../../../../server/contract/parcel-service.ts';
import { settings } from '../../../../server/contract/setting.ts';
import { parcelProvider } from '../../../../server/services/parcel/configured.ts';
import { noParcels } from '../../../../server/services/parcel/provider.ts';
import { defaultSettings } from '../../../../server/services/setting/defaults.ts';
import { FakeClock } from '../../../support/accounts.ts';
import { parcelRing, startProviders } from '../../../support/providers.ts';

const features = (address: string | null) => ({
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: { ADDR: address, PIN: 4711 },
      geometry: { type: 'Polygon', coordinates: [parcelRing] },
    },
    { type: 'Feature', properties: null, geometry: null },
  ],
});

async function site(change: Partial<ParcelService> = {}, hasNominatim = false) {
  const { provider: upstream, outside } = await startProviders();
  const begun = new AsyncDisposableStack();
  onTestFinished(() => begun.disposeAsync());
  const clock = new FakeClock();
  const stored = settings.parse(defaultSettings('UTC'));
  stored.providers.nominatim.enabled = hasNominatim;
  stored.providers.parcels.services = [
    {
      id: 'county',
      name: 'County',
      kind: 'arcgis',
      url: `${upstream.origin}/arcgis/FeatureServer/0`,
      id_field: 'PIN',
      ...change,
    },
  ];
  const world = { answer: JSON.stringify(features('7 Mill Road')), places: '[{"lat":"37.1","lon":"127.1"}]' };
  upstream.answer = (request, response) => {
    const isPlace = request.url?.startsWith('/search') === true;
    response.writeHead(200, { 'content-type': 'application/json' }).end(isPlace ? world.places : world.answer);
  };
  const { asking } = composeProxies({
    settings: () => stored,
    keys: { providerKey: () => undefined, wmsPassword: () => undefined },
    clock: clock.now,
    outside,
    relayCacheFile: ':memory:',
    begun,
    log: { warn: () => undefined },
  });
  const nobody = { find: async () => noParcels, at: async () => noParcels };
  const parcels = parcelProvider({ asking, cadastres: { list: async () => [] }, imported: nobody });
  const asked = () => upstream.asked.map((path) => new URL(path, 'http://a')); // what was asked for, in parts
  return { parcels, asked, world, clock };
}

const codeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(() => 'ok', (error: { code: string }) => error.code); // prettier-ignore

describe('an ArcGIS feature service', () => {
  it('is asked by address, whatever signs it has', async () => {
    const { parcels, asked } = await site({ address_field: 'ADDR' });
    expect(await parcels.find("7 O'Hara_Road 100%")).toMatchObject({
      parcels: [
        {
          address: '7 Mill Road',
          parcel_id: '4711',
          provider: 'county',
          attribution: 'County',
          geometry: { type: 'Polygon', coordinates: [parcelRing] },
        },
      ],
      skipped: 0,
    });
    const [url] = asked();
    expect(url?.pathname).toBe('/arcgis/FeatureServer/0/query');
    expect(url?.searchParams.get('where')).toBe("UPPER(ADDR) LIKE '%7 O''HARA_ROAD 100_%'");
    expect(url?.searchParams.get('outSR')).toBe('4326');
  });

  it('is asked by place', async () => {
    const { parcels, asked } = await site();
    expect(await parcels.at({ lat: 37.1, lng: 127.1 })).toMatchObject({ parcels: [{ parcel_id: '4711' }] });
    expect(asked()[0]?.searchParams.get('geometry')).toBe('127.1,37.1');
  });

  it('without a field of addresses is asked by the place that Nominatim knows, which is asked once a month', async () => {
    const { parcels, asked, clock } = await site({}, true);
    expect(await parcels.find('7 Mill Road')).toMatchObject({
      parcels: [
        {
          address: '7 Mill Road',
          parcel_id: '4711',
          attribution: 'County, Addresses: Nominatim, © OpenStreetMap contributors (ODbL, openstreetmap.org/copyright)',
        },
      ],
    });
    clock.forward(20 * 86_400_000);
    await parcels.find('7 Mill Road');
    const searches = asked().filter(({ pathname }) => pathname === '/search');
    expect(searches.map(({ searchParams }) => searchParams.get('q'))).toEqual(['7 Mill Road']);
  });

  it('that sends an outline which is none has its other parcels taken, and says how many are left out', async () => {
    const { parcels, world } = await site();
    const [whole, , broken] = [
      ...features('7 Mill Road').features,
      { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [[[0, 0]]] } },
    ];
    world.answer = JSON.stringify({ type: 'FeatureCollection', features: [broken, whole, broken] });
    expect(await parcels.at({ lat: 37.1, lng: 127.1 })).toMatchObject({ parcels: [{ parcel_id: '4711' }], skipped: 2 });
  });

  it('without either says what to turn on', async () => {
    const { parcels, asked } = await site();
    expect(await codeOf(parcels.find('7 Mill Road'))).toBe('provider_not_configured');
    expect(asked()).toEqual([]);
  });

  it('leaves Nominatim its second between two questions', async () => {
    const { parcels, asked } = await site({}, true);
    const codes = await Promise.all(['a', 'b', 'c'].map((address) => codeOf(parcels.find(address))));
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
    expect(codes.filter((code) => code === 'provider_paused')).toHaveLength(2);
    expect(asked().filter(({ pathname }) => pathname === '/search')).toHaveLength(1);
  });

  it.each([
    ['a refusal', '{"error":{"code":400,"message":"Invalid field"}}', 'provider_refused'],
    ['other JSON', '{"hello":1}', 'provider_answer_invalid'],
    ['half an answer', '{"type":"FeatureCollection","features":[', 'provider_answer_invalid'],
    ['an outline that is none', JSON.stringify({ type: 'FeatureCollection', features: [{ geometry: { type: 'Polygon', coordinates: [[[0, 0]]] }, properties: {} }] }), 'provider_answer_invalid'], // prettier-ignore
    ['nothing', '{"type":"FeatureCollection","features":[]}', 'ok'],
  ])('that answers %s is told as such', async (_, answer, code) => {
    const { parcels, world } = await site();
    world.answer = answer;
    expect(await codeOf(parcels.at({ lat: 37.1, lng: 127.1 }))).toBe(code);
  });
});
