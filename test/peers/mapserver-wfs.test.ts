import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { settings } from '../../server/contract/setting.ts';
import { composeProxies } from '../../server/composition/proxies.ts';
import { parcelProvider } from '../../server/services/parcel/configured.ts';
import { noParcels } from '../../server/services/parcel/provider.ts';
import { defaultSettings } from '../../server/services/setting/defaults.ts';
import { hasMapServer, startMapServer } from '../support/mapserver.ts';

const ring = (lng: number, lat: number, side: number): number[][] => [
  [lng, lat],
  [lng + side, lat],
  [lng + side, lat + side],
  [lng, lat + side],
  [lng, lat],
];
/** Wider than a swap of the axes could hide: the latitudes are no longitudes of here. */
const village = [
  { address: '경기도 화성시 과수원길 12', pnu: '4111', polygons: [[ring(127, 37, 0.001)]] },
  {
    address: "Mill Road 7 & 'Upper' <8>",
    pnu: '4112',
    polygons: [[ring(128, 36, 0.001), ring(128.0002, 36.0002, 0.0002).reverse()], [ring(129, 36, 0.001)]],
  },
];

const mapOf = (file: string) => `MAP
  NAME "cadastre"
  SIZE 400 400
  EXTENT 126 35 130 38
  PROJECTION "init=epsg:4326" END
  WEB METADATA "ows_title" "Cadastre" "ows_onlineresource" "http://localhost/?" "ows_srs" "EPSG:4326" "ows_enable_request" "*" END END
  LAYER
    NAME "parcels"
    TYPE POLYGON
    STATUS ON
    CONNECTIONTYPE OGR
    CONNECTION "${file}"
    PROJECTION "init=epsg:4326" END
    METADATA "ows_title" "Parcels" "gml_include_items" "all" "gml_featureid" "pnu" END
  END
END`;

async function cadastre() {
  const folder = mkdtempSync(join(tmpdir(), 'orangery-wfs-'));
  const file = join(folder, 'parcels.geojson');
  const features = village.map(({ address, pnu, polygons }) => ({
    type: 'Feature',
    properties: { address, pnu },
    geometry: { type: 'MultiPolygon', coordinates: polygons },
  }));
  writeFileSync(file, JSON.stringify({ type: 'FeatureCollection', features }));
  const url = await startMapServer(mapOf(file));
  const begun = new AsyncDisposableStack();
  onTestFinished(async () => {
    await begun.disposeAsync();
    rmSync(folder, { recursive: true, force: true });
  });
  const service = {
    id: 'village',
    name: 'Village',
    kind: 'wfs' as const,
    url,
    layer: 'parcels',
    attribution: 'Survey',
    address_field: 'address',
    id_field: 'pnu',
  };
  const stored = settings.parse(defaultSettings('UTC'));
  stored.providers.parcels.services = [service];
  const { asking } = composeProxies({
    settings: () => stored,
    keys: { providerKey: () => undefined, wmsPassword: () => undefined },
    clock: Date.now,
    outside: { outbound: { allowLoopback: true } },
    relayCacheFile: ':memory:',
    begun,
    log: { warn: () => undefined },
  });
  const nobody = { find: async () => noParcels, at: async () => noParcels };
  return parcelProvider({ asking, cadastres: { list: async () => [] }, imported: nobody });
}

describe.skipIf(!hasMapServer())('a Web Feature Service of MapServer', () => {
  it('has the parcel in which a place lies, with its axes the right way round', async () => {
    const provider = await cadastre();
    const { parcels } = await provider.at({ lat: 37.0005, lng: 127.0005 });
    expect(parcels).toMatchObject([
      {
        address: '경기도 화성시 과수원길 12',
        parcel_id: '4111',
        provider: 'village',
        attribution: 'Survey',
        geometry: { type: 'Polygon', coordinates: [ring(127, 37, 0.001)] },
      },
    ]);
    expect(await provider.at({ lat: 37.5, lng: 127.5 })).toEqual({ parcels: [], skipped: 0 });
  });

  it.each(['mill road 7', 'ROAD 7 & ', "'Upper' <8>"])(
    'finds %j in its addresses, of several parts and with holes',
    async (text) => {
      const provider = await cadastre();
      const [found, ...others] = (await provider.find(text)).parcels;
      expect(others).toEqual([]);
      expect(found).toMatchObject({ address: "Mill Road 7 & 'Upper' <8>", geometry: { type: 'MultiPolygon' } });
      const { coordinates = [] } = { ...(found?.geometry as { coordinates: number[][][][] } | undefined) }; // as the line above says
      const [first, second] = coordinates;
      expect([first?.length, second?.length]).toEqual([2, 1]);
    },
  );

  it.each(['과수원길', '화성시 과수원길 12'])('finds %j', async (text) => {
    const provider = await cadastre();
    expect(await provider.find(text)).toMatchObject({ parcels: [{ parcel_id: '4111' }] });
  });

  it.each(['*', '?', 'road*7', '\\', '</fes:Literal>'])('takes %j as text', async (text) => {
    const provider = await cadastre();
    expect(await provider.find(text)).toEqual({ parcels: [], skipped: 0 });
  });
});
