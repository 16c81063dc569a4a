import type { mapLayers } from '../contract/map-service.ts';
import type { TileTemplate } from '../contract/provider.ts';
import { dayMs, type ProviderQuestion } from './question.ts';
import { enteredUpstream, type Upstreams } from './upstreams.ts';

export interface Tile {
  z: number;
  x: number;
  y: number;
}

export function tileQuestion(template: TileTemplate, tile: Tile): ProviderQuestion {
  const url = new URL(addressOf(template, tile));
  return {
    upstream: enteredUpstream(`tiles ${template.id}`, url.origin),
    path: `${url.pathname}${url.search}`,
    expects: 'picture',
    fresh_ms: 7 * dayMs,
    keep_ms: 90 * dayMs,
  };
}

/** A tile of a listed service; not kept if its terms forbid that. */
export function mapTileQuestion(
  { maps }: Pick<Upstreams, 'maps'>,
  { layer, key }: { layer: (typeof mapLayers)[number]; key: string | undefined },
  tile: Tile,
): ProviderQuestion {
  const { origin } = new URL(layer.url);
  const { fresh_days, keep_days } = layer.service;
  return {
    upstream: maps[layer.id],
    path: addressOf(layer, tile).slice(origin.length),
    ...(key !== undefined && { credentials: { path: { key } } }),
    expects: 'picture',
    fresh_ms: fresh_days * dayMs,
    keep_ms: keep_days * dayMs,
  };
}

/** The tile for which the template makes exactly this address; undefined when there is none. */
export function tileOf(template: Pick<TileTemplate, 'url'>, address: string): Tile | undefined {
  const names: string[] = [];
  const pattern = template.url.split(/(\{[xyz]\})/).map((part) => {
    const name = /^\{([xyz])\}$/.exec(part)?.[1];
    if (name === undefined) return part.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
    names.push(name);
    return '(0|[1-9]\\d{0,8})';
  });
  const found = new RegExp(`^${pattern.join('')}$`).exec(address);
  if (found === null) return undefined;
  const value = (name: string): number => Number(found[names.indexOf(name) + 1]);
  const tile = { z: value('z'), x: value('x'), y: value('y') };
  return Object.values(tile).some(Number.isNaN) || addressOf(template, tile) !== address ? undefined : tile;
}

function addressOf({ url }: Pick<TileTemplate, 'url'>, { z, x, y }: Tile): string {
  return url.replaceAll('{z}', String(z)).replaceAll('{x}', String(x)).replaceAll('{y}', String(y));
}
