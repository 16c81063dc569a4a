import { Gate } from '../outbound/gate.ts';
import { Outbound, type OutboundOptions } from '../outbound/outbound.ts';
import { AreaDownloads } from '../services/base-map/area-download.ts';
import { BaseMapService } from '../services/base-map/base-map.ts';
import { BaseMapUpload } from '../services/base-map/upload.ts';
import { parcelProvider } from '../services/parcel/configured.ts';
import { CadastreService } from '../services/parcel/cadastre.ts';
import { LocalParcels } from '../services/parcel/local.ts';
import { ParcelService } from '../services/parcel/parcel.ts';
import { ProxyService, type ProxyOptions } from '../services/proxy/proxy.ts';
import { Relay } from '../services/proxy/relay.ts';
import { SiteForecast } from '../services/proxy/site-forecast.ts';
import { tileSourceOf } from '../services/proxy/tile-sources.ts';
import { WmsProxy } from '../services/proxy/wms.ts';
import { RelayCache } from '../tiles/relay-cache.ts';
import { publicUpstreams, type Origins } from '../upstream/upstreams.ts';
import type { Maps } from './maps.ts';
import type { ServiceParts } from './parts.ts';

/** Where outside services are; the internet when empty. */
export interface Outside {
  outbound?: OutboundOptions;
  origins?: Origins;
  /** For one request to a provider; default 15 s. */
  timeoutMs?: number;
}

/** What outside access needs beyond the other services. */
export interface OutsideParts {
  /** Keys and passwords of outside services. */
  keys: ProxyOptions['keys'];
  /** File for the answers of outside services. */
  relayCacheFile: string;
  outside?: Outside | undefined;
  /** Folder of the map files. */
  baseMapsFolder: string;
  /** Path of cadastre.db, which is made when parcels are imported. */
  cadastreFile: string;
}

type ProxyParts = Omit<OutsideParts, 'baseMapsFolder' | 'cadastreFile'> &
  Pick<ServiceParts, 'settings' | 'clock' | 'begun' | 'log'>;

type Proxies = ReturnType<typeof composeProxies>;

/** Composes the guarded fetch with the settings of outside services. */
export function composeProxies({ settings, keys, clock: now, relayCacheFile, outside = {}, begun, log }: ProxyParts) {
  const outbound = new Outbound(outside.outbound);
  const cache = new RelayCache({ file: relayCacheFile, now });
  begun.defer(() => cache.close());
  begun.defer(() => outbound.close());
  const gate = new Gate({ outbound, log, ...(outside.timeoutMs !== undefined && { timeoutMs: outside.timeoutMs }) });
  const asking = {
    relay: new Relay({ gate, cache, now }),
    settings,
    keys,
    upstreams: publicUpstreams(outside.origins),
  };
  const proxies = new ProxyService(asking);
  return { proxies, wms: new WmsProxy(asking), forecast: new SiteForecast({ proxies, settings, clock: now }), asking };
}

/** Composes the map files of this machine with the tile services that can fill them. */
export function composeBaseMaps({
  baseMapsFolder: folder,
  audit,
  clock: now,
  begun,
  asking,
}: Pick<Proxies, 'asking'> & Pick<OutsideParts, 'baseMapsFolder'> & Pick<ServiceParts, 'audit' | 'clock' | 'begun'>) {
  const baseMaps = new BaseMapService({ folder, audit });
  begun.defer(() => baseMaps.close());
  const sourceOf = (layer: string) => tileSourceOf(layer, asking);
  const areaDownloads = new AreaDownloads({ folder, maps: baseMaps, relay: asking.relay, sourceOf, audit });
  begun.defer(() => areaDownloads.stop());
  return { baseMaps, baseMapUpload: new BaseMapUpload({ folder, baseMaps, audit, now }), areaDownloads };
}

type ParcelParts = Proxies &
  Pick<Maps, 'overlays'> &
  Pick<OutsideParts, 'cadastreFile'> &
  Pick<ServiceParts, 'audit' | 'clock' | 'begun'>;

/** Composes imported parcels and those of services with the maps that they are saved on. */
export function composeParcels({ asking, overlays, cadastreFile: file, audit, clock, begun }: ParcelParts) {
  const cadastres = new CadastreService({ file, audit, clock });
  begun.defer(() => cadastres.close());
  const imported = new LocalParcels(cadastres);
  const provider = () => parcelProvider({ asking, cadastres, imported });
  return { cadastres, parcels: new ParcelService({ overlays, provider, imported }) };
}
