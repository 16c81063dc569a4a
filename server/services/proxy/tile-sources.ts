import { Refusal } from '../../contract/errors.ts';
import { mapLayers } from '../../contract/map-service.ts';
import type { Settings } from '../../contract/setting.ts';
import type { ProviderQuestion } from '../../upstream/question.ts';
import { mapTileQuestion, tileOf, tileQuestion, type Tile } from '../../upstream/tile-template.ts';
import type { Upstreams } from '../../upstream/upstreams.ts';
import type { SettingService } from '../setting/setting.ts';
import { notConfigured } from './refusal.ts';

/** A layer of tiles that the settings allow. */
export interface TileSource {
  name: string;
  attribution: string;
  max_zoom: number | undefined;
  /** Whether areas may be stored for use without internet. */
  may_download: boolean;
  per_minute: number;
  question: (tile: Tile) => ProviderQuestion;
}

interface Asking {
  settings: () => Settings;
  keys: Pick<SettingService, 'providerKey'>;
  upstreams: Pick<Upstreams, 'maps'>;
}

/** For an entered server, whose rate limit is unknown. */
const usualPerMinute = 600;

/**
 * The source of a layer: a listed one, e.g. gsi.photo, or an entered template. Throws `not_found`,
 * `provider_not_configured`.
 */
export function tileSourceOf(layerId: string, asking: Asking): TileSource {
  const layer = mapLayers.find(({ layer_id }) => layer_id === layerId);
  return layer === undefined ? enteredSource(layerId, asking) : listedSource(layer, asking);
}

/** The source and tile of exactly this address; throws `provider_not_configured` when entered ones are off. */
export function tileOfAddress(url: string, asking: Asking): { source: TileSource; tile: Tile } | undefined {
  const { providers } = asking.settings();
  for (const layer of mapLayers) {
    const tile = providers[layer.id].enabled ? tileOf(layer, url) : undefined;
    if (tile !== undefined) return { source: listedSource(layer, asking), tile };
  }
  for (const template of enteredTemplates(asking)) {
    const tile = tileOf(template, url);
    if (tile !== undefined) return { source: enteredSource(template.id, asking), tile };
  }
  return undefined;
}

function listedSource(layer: (typeof mapLayers)[number], { settings, keys, upstreams }: Asking): TileSource {
  const { id, service, kind, max_zoom } = layer;
  const provider = settings().providers[id];
  if (!provider.enabled) throw notConfigured(`providers.${id}.enabled`, 'the service is switched off');
  const key = 'key' in provider && provider.key !== undefined ? keys.providerKey(id) : undefined;
  if (service.needs_key && key === undefined) throw notConfigured(`providers.${id}.key`, 'the service needs a key');
  return {
    name: `${service.name} ${kind}`,
    attribution: service.attribution,
    max_zoom,
    may_download: service.may_download,
    per_minute: service.per_minute,
    question: (tile) => mapTileQuestion(upstreams, { layer, key }, tile),
  };
}

function enteredSource(layerId: string, asking: Asking): TileSource {
  const template = enteredTemplates(asking).find(({ id }) => id === layerId);
  if (template === undefined) throw new Refusal('not_found', 'there is no such tile service');
  const { name, attribution = '', max_zoom, may_download = false } = template;
  return {
    name,
    attribution,
    max_zoom,
    may_download,
    per_minute: usualPerMinute,
    question: (tile) => tileQuestion(template, tile),
  };
}

function enteredTemplates({ settings }: Asking) {
  const { enabled, templates } = settings().providers.tiles;
  if (!enabled) throw notConfigured('providers.tiles.enabled', 'the service is switched off');
  return templates;
}
