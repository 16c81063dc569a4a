import { describe, expect, it } from 'vitest';
import {
  addressIn,
  chosenOf,
  isPasswordKept,
  wmsDraftOf,
  wmsWire,
} from '../../../../../../renderer/features/settings/services/wms-draft.ts';
import type { WmsLayer, WmsOffer } from '../../../../../../server/contract/wms-layer.ts';

const stored: WmsLayer = {
  unique_id: '11111111-1111-4111-8111-111111111111',
  name: 'Soil',
  url: 'https://maps.example.org/wms',
  version: '1.1.1',
  layers: 'soil',
  format: 'image/jpeg',
  crs: 'EPSG:5186',
  username: 'farm',
  password: { set: true },
};
const offer: WmsOffer = { title: 'Land', version: '1.3.0', formats: ['image/png', 'image/jpeg'], layers: [] };
const offered = { name: 'parcels', title: 'Parcels', crs: ['EPSG:5186', 'EPSG:4326'], styles: [], is_queryable: true };

describe('the draft of a WMS layer', () => {
  it('sends back what it was made of', () => {
    const { styles, ...plain } = wmsWire(wmsDraftOf(stored), stored);
    expect([plain, styles]).toEqual([stored, null]);
  });

  it('leaves the stored password with its server', () => {
    const moved = { ...wmsDraftOf(stored), url: 'https://other.example.org/wms' };
    expect(isPasswordKept(moved, stored)).toBe(false);
    expect(wmsWire(moved, stored)).not.toHaveProperty('password');
    expect(addressIn(moved, stored)).toEqual({ url: moved.url, username: 'farm', unique_id: stored.unique_id });
    expect(addressIn(wmsDraftOf(stored), stored)).toMatchObject({ password: { set: true } });
  });

  it('takes of a chosen layer a system and a format that the map shows, and its name where there is none', () => {
    const taken = { layers: 'parcels', styles: '', version: '1.3.0', crs: 'EPSG:4326', format: 'image/png' };
    expect(chosenOf(wmsDraftOf(stored), { offer, layer: offered })).toEqual(taken);
    expect(chosenOf(wmsDraftOf(null), { offer, layer: offered })).toEqual({ ...taken, name: 'Parcels' });
    expect(chosenOf(wmsDraftOf(stored), { offer, layer: { ...offered, crs: ['EPSG:5179'] } })).toMatchObject({
      crs: 'EPSG:5179',
    });
    expect(chosenOf(wmsDraftOf(stored), { offer, layer: { ...offered, crs: [] } })).not.toHaveProperty('crs');
  });
});
