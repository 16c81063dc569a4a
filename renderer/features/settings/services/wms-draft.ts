import type { WmsAddress, WmsLayer, WmsLayerSent, WmsOffer } from '../../../../server/contract/wms-layer.ts';

export interface WmsDraft {
  name: string;
  url: string;
  version: WmsLayer['version'];
  layers: string;
  styles: string;
  format: WmsLayer['format'];
  crs: string;
  username: string;
  password: WmsLayerSent['password'];
}

/** A layer that a service offers. */
export interface OfferedLayer {
  offer: WmsOffer;
  layer: WmsOffer['layers'][number];
}

/** Reference systems and image formats that the map can display, best first. */
const wantedCrs = ['EPSG:3857', 'EPSG:4326', 'CRS:84'] as const;
const wantedFormats = ['image/png', 'image/png8', 'image/webp', 'image/gif', 'image/jpeg'] as const;

export function wmsDraftOf(layer: WmsLayer | null): WmsDraft {
  return {
    name: layer?.name ?? '',
    url: layer?.url ?? '',
    version: layer?.version ?? '1.3.0',
    layers: layer?.layers ?? '',
    styles: layer?.styles ?? '',
    format: layer?.format ?? 'image/png',
    crs: layer?.crs ?? 'EPSG:3857',
    username: layer?.username ?? '',
    password: undefined,
  };
}

/** A stored password stays with the server it was entered for. */
export function isPasswordKept({ url }: Pick<WmsDraft, 'url'>, layer: WmsLayer | null): boolean {
  return layer?.password !== undefined && URL.parse(layer.url)?.origin === URL.parse(url)?.origin;
}

export function wmsWire(draft: WmsDraft, layer: WmsLayer | null): WmsLayerSent {
  const { name, styles, username, password, ...plain } = draft;
  const wanted = password === undefined && isPasswordKept(draft, layer) ? layer?.password : password;
  return {
    ...(layer !== null && { unique_id: layer.unique_id }),
    ...plain,
    name: name.trim(),
    styles: styles.trim() === '' ? null : styles.trim(),
    username: username.trim() === '' ? null : username.trim(),
    ...(wanted !== undefined && { password: wanted }),
  };
}

/** The address at which to ask for the service's layers. */
export function addressIn(draft: WmsDraft, layer: WmsLayer | null): WmsAddress {
  const { url, username, password } = wmsWire(draft, layer);
  return {
    url,
    ...(username != null && { username }),
    ...(password != null && { password }),
    ...(layer !== null && { unique_id: layer.unique_id }),
  };
}

/** The settings from a chosen layer: the best supported system and format, and its name if none is entered yet. */
export function chosenOf({ name }: WmsDraft, { offer, layer }: OfferedLayer): Partial<WmsDraft> {
  const crs = wantedCrs.find((one) => layer.crs.includes(one)) ?? layer.crs[0];
  const format = wantedFormats.find((one) => offer.formats.includes(one));
  return {
    layers: layer.name,
    styles: '',
    version: offer.version,
    ...(name.trim() === '' && { name: layer.title }),
    ...(crs !== undefined && { crs }),
    ...(format !== undefined && { format }),
  };
}
