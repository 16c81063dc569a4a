import type { ParamsOf, QueryOf } from '../../contract/endpoint.ts';
import { Refusal, refusePlainly } from '../../contract/errors.ts';
import type { ProviderId, Providers } from '../../contract/provider.ts';
import type { Settings } from '../../contract/setting.ts';
import { radarDeepestZoom, radarMeta, type proxyEndpoints } from '../../contract/proxy.ts';
import type { SettingService } from '../setting/setting.ts';
import { soilQuestion } from '../../upstream/isric.ts';
import { forecastQuestion } from '../../upstream/openmeteo.ts';
import { weatherQuestion, weatherTileQuestion } from '../../upstream/openweather.ts';
import { framePathOf, radarMetaQuestion, radarTileQuestion } from '../../upstream/rainviewer.ts';
import { enlargedPart, type TilePart } from '../../tiles/over-zoom.ts';
import { RecentPictures } from '../../tiles/recent-pictures.ts';
import type { Tile } from '../../upstream/tile-template.ts';
import type { Upstreams } from '../../upstream/upstreams.ts';
import { notConfigured } from './refusal.ts';
import type { Relay, Relayed } from './relay.ts';
import { tileOfAddress, tileSourceOf } from './tile-sources.ts';

type Endpoints = typeof proxyEndpoints;

export interface ProxyOptions {
  relay: Pick<Relay, 'ask'>;
  settings: () => Settings;
  keys: Pick<SettingService, 'providerKey' | 'wmsPassword'>;
  upstreams: Upstreams;
}

/** The pictures of a screen, with the frames of an animation, have about 2 MB. */
const mostEnlargedBytes = 16 * 1024 * 1024;

/** Answers of outside services, for clients that cannot ask them. All throw a `Refusal`. */
export class ProxyService {
  readonly #options: ProxyOptions;
  readonly #enlarged = new RecentPictures(mostEnlargedBytes);

  constructor(options: ProxyOptions) {
    this.#options = options;
  }

  async radarMeta(): Promise<Relayed> {
    this.#require('rainviewer');
    return this.#options.relay.ask(radarMetaQuestion(this.#options.upstreams));
  }

  /**
   * Beyond the deepest zoom of the public radar, enlarges the part of its deepest picture. `isHeld` tells whether the
   * caller already has the picture of an entity tag: then it comes without its bytes.
   */
  async radarTile(
    { time, ...tile }: ParamsOf<Endpoints['radarTile']>,
    isHeld: (etag: string) => boolean = () => false,
  ): Promise<Relayed> {
    refuseOutside(tile);
    const { body } = await this.radarMeta();
    const framePath = framePathOf(radarMeta.parse(JSON.parse(body.toString())), time);
    if (framePath === undefined) throw new Refusal('not_found', 'there is no frame of that time');
    const levels = Math.max(0, tile.z - radarDeepestZoom);
    const [x, y] = [Math.floor(tile.x / 2 ** levels), Math.floor(tile.y / 2 ** levels)];
    const question = radarTileQuestion(this.#options.upstreams, { framePath, z: tile.z - levels, x, y });
    const asked = await this.#options.relay.ask(question);
    if (levels === 0) return asked;
    return this.#part(asked, { levels, column: tile.x % 2 ** levels, row: tile.y % 2 ** levels }, isHeld);
  }

  #part(whole: Relayed, part: TilePart, isHeld: (etag: string) => boolean): Relayed {
    const etag = `${whole.etag.slice(0, -1)}-${part.levels}-${part.column}-${part.row}"`;
    const head = { ...whole, etag, type: 'image/png' };
    if (isHeld(etag)) return { ...head, body: Buffer.alloc(0) };
    const body = this.#enlarged.get(etag) ?? enlargedPart(whole.body, part);
    if (body === null) throw new Refusal('provider_answer_invalid', 'it answered no picture of a tile');
    this.#enlarged.put(etag, body);
    return { ...head, body };
  }

  async soil(query: QueryOf<Endpoints['soil']>): Promise<Relayed> {
    this.#require('isric');
    return this.#options.relay.ask(soilQuestion(this.#options.upstreams, query));
  }

  async weather(query: QueryOf<Endpoints['weather']>): Promise<Relayed> {
    return this.#options.relay.ask(weatherQuestion(this.#options.upstreams, query, this.#keyOf('openweather')));
  }

  async weatherTile(tile: ParamsOf<Endpoints['weatherTile']>): Promise<Relayed> {
    refuseOutside(tile);
    return this.#options.relay.ask(weatherTileQuestion(this.#options.upstreams, tile, this.#keyOf('openweather')));
  }

  async forecast(query: QueryOf<Endpoints['forecast']>): Promise<Relayed> {
    const { key } = this.#require('openmeteo');
    const secret = key && this.#options.keys.providerKey('openmeteo');
    return this.#options.relay.ask(forecastQuestion(this.#options.upstreams, query, secret));
  }

  async tile({ layer, url, z, x, y }: QueryOf<Endpoints['tile']>): Promise<Relayed> {
    if (url !== undefined) {
      if ([layer, z, x, y].some((one) => one !== undefined))
        throw refusePlainly('invalid_field', 'url', 'stands alone');
      const found = tileOfAddress(url, this.#options);
      if (found === undefined) {
        throw refusePlainly('invalid_field', 'url', 'is not what a tile service of the settings makes');
      }
      return this.#options.relay.ask(found.source.question(found.tile));
    }
    if (layer === undefined) throw refusePlainly('invalid_field', 'layer', 'is missing, or url instead');
    if (z === undefined || x === undefined || y === undefined)
      throw refusePlainly('invalid_field', 'z', 'needs x and y');
    const source = tileSourceOf(layer, this.#options);
    refuseOutside({ z, x, y });
    return this.#options.relay.ask(source.question({ z, x, y }));
  }

  #require<Id extends ProviderId>(id: Id): Providers[Id] {
    const provider = this.#options.settings().providers[id];
    if (!provider.enabled) throw notConfigured(`providers.${id}.enabled`, 'the service is switched off');
    return provider;
  }

  #keyOf(id: 'openweather'): string {
    const key = this.#require(id).key && this.#options.keys.providerKey(id);
    if (key === undefined) throw notConfigured(`providers.${id}.key`, 'the service needs a key');
    return key;
  }
}

function refuseOutside({ z, x, y }: Tile): void {
  if (x >= 2 ** z || y >= 2 ** z) throw new Refusal('not_found', `zoom ${z} has no such tile`);
}
