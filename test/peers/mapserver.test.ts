import { decode } from 'fast-png';
import { describe, expect, it, onTestFinished } from 'vitest';
import { settings } from '../../server/contract/setting.ts';
import type { WmsLayer } from '../../server/contract/wms-layer.ts';
import { composeProxies } from '../../server/composition/proxies.ts';
import { defaultSettings } from '../../server/services/setting/defaults.ts';
import { hasMapServer, startMapServer } from '../support/mapserver.ts';

/**
 * A field in the upper right of two degrees, wider than high: axes in the wrong order would show it elsewhere, or not
 * at all.
 */
const farm = `MAP
  NAME "farm"
  SIZE 400 400
  EXTENT 126 36 128 38
  PROJECTION "init=epsg:4326" END
  WEB METADATA "ows_title" "Farm survey" "ows_onlineresource" "http://localhost/?" "ows_srs" "EPSG:4326 EPSG:3857" "ows_enable_request" "*" END END
  LAYER
    NAME "north_field"
    TYPE POLYGON
    STATUS ON
    TEMPLATE "field"
    METADATA "ows_title" "North field" "ows_include_items" "all" END
    PROJECTION "init=epsg:4326" END
    FEATURE POINTS 127 37 127.5 37 127.5 37.2 127 37.2 127 37 END END
    CLASS STYLE COLOR 200 30 30 END END
  END
END`;
const side = 200;
const layer = {
  unique_id: '11111111-1111-4111-8111-111111111111',
  name: 'Fields',
  layers: 'north_field',
  format: 'image/png' as const,
  version: '1.3.0' as const,
  crs: 'EPSG:4326',
};

async function site(changes: Partial<WmsLayer> = {}) {
  const url = await startMapServer(farm);
  const begun = new AsyncDisposableStack();
  onTestFinished(() => begun.disposeAsync());
  const stored = settings.parse({ ...defaultSettings('UTC'), wms_layers: [{ ...layer, url, ...changes }] });
  const { wms } = composeProxies({
    settings: () => stored,
    keys: { providerKey: () => undefined, wmsPassword: () => undefined },
    clock: Date.now,
    outside: { outbound: { allowLoopback: true } },
    relayCacheFile: ':memory:',
    begun,
    log: { warn: () => undefined },
  });
  const picture = async (bbox: string, crs?: string) => {
    const { body } = await wms.picture(layer.unique_id, { bbox, width: side, height: side, ...(crs && { crs }) });
    return decode(body);
  };
  return { url, wms, picture };
}

/** The first and last column and row that have the field's red, from the upper left. */
function redBox({ data, width, channels }: ReturnType<typeof decode>): number[] {
  const red = Array.from({ length: data.length / channels }, (_, at) => at).filter(
    (at) => data[at * channels] === 200 && data[at * channels + 1] === 30,
  );
  const [columns, rows] = [red.map((at) => at % width), red.map((at) => Math.floor(at / width))];
  return [columns, rows].flatMap((values) => [Math.min(...values), Math.max(...values)]);
}

describe.skipIf(!hasMapServer())('against MapServer', () => {
  it('lists what it offers', async () => {
    const { wms, url } = await site();
    const offer = await wms.capabilities({ url });
    expect(offer).toMatchObject({ title: 'Farm survey', version: '1.3.0' });
    expect(offer.formats).toContain('image/png');
    const field = offer.layers.find(({ name }) => name === 'north_field');
    expect(field).toMatchObject({ title: 'North field', is_queryable: true });
    expect(field?.crs).toEqual(expect.arrayContaining(['EPSG:4326', 'EPSG:3857']));
  });

  it.each(['1.1.1', '1.3.0'] as const)('shows the field where it is, by %s', async (version) => {
    const { picture } = await site({ version });
    const [west = NaN, east = NaN, north = NaN, south = NaN] = redBox(await picture('126,36,128,38'));
    const expected = [100, 149, 80, 99]; // a hundred pixels a degree, rows from 38 degrees north down
    for (const [at, value] of [west, east, north, south].entries()) {
      expect(Math.abs(value - (expected[at] ?? NaN))).toBeLessThanOrEqual(1);
    }
  });

  it('draws the same picture in both versions, also in metres', async () => {
    const [old, recent] = [await site({ version: '1.1.1' }), await site()];
    for (const [bbox, crs] of [
      ['126,36,128,38', undefined],
      ['14026255,4300621,14248893,4579425', 'EPSG:3857'],
    ] as const) {
      const [one, other] = [await old.picture(bbox, crs), await recent.picture(bbox, crs)];
      expect(redBox(one).every(Number.isFinite)).toBe(true);
      expect(Buffer.from(other.data.buffer).equals(Buffer.from(one.data.buffer))).toBe(true);
    }
  });

  it('says what is at a pixel', async () => {
    const { wms } = await site();
    const asked = { bbox: '126,36,128,38', width: side, height: side };
    const textAt = async (i: number, j: number) =>
      (await wms.info(layer.unique_id, { ...asked, i, j })).body.toString();
    expect(await textAt(120, 90)).toContain('north_field');
    expect(await textAt(90, 120)).toContain('no results');
  });

  it('tells what it refuses as no picture', async () => {
    const { wms } = await site({ layers: 'south_field' });
    const asked = wms.picture(layer.unique_id, { bbox: '126,36,128,38', width: side, height: side });
    await expect(asked).rejects.toMatchObject({ code: 'provider_answer_invalid' });
  });
});
