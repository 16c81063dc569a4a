import type { QueryOf } from '../../contract/endpoint.ts';
import { Refusal, refuseField, refusePlainly } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type { proxyEndpoints } from '../../contract/proxy.ts';
import type { WmsAddress, WmsLayer, WmsOffer } from '../../contract/wms-layer.ts';
import { readCapabilities } from '../../upstream/wms-capabilities.ts';
import { wmsCapabilitiesQuestion, wmsInfoQuestion, wmsQuestion } from '../../upstream/wms.ts';
import type { ProxyOptions } from './proxy.ts';
import type { Relayed } from './relay.ts';

type Endpoints = typeof proxyEndpoints;

/** More would fill the card on the map. */
const longestInfo = 20_000;

/** Layers of Web Map Services that the settings name. All throw a `Refusal`. */
export class WmsProxy {
  readonly #options: Omit<ProxyOptions, 'upstreams'>;

  constructor(options: Omit<ProxyOptions, 'upstreams'>) {
    this.#options = options;
  }

  async picture(id: string, query: QueryOf<Endpoints['wms']>): Promise<Relayed> {
    const layer = this.#layer(id);
    refuseEmpty(query.bbox);
    return this.#options.relay.ask(wmsQuestion({ layer, query, password: this.#options.keys.wmsPassword(id) }));
  }

  /** What is at a pixel of a picture, as the service writes it. */
  async info(id: string, query: QueryOf<Endpoints['wmsInfo']>): Promise<Relayed> {
    const layer = this.#layer(id);
    refuseEmpty(query.bbox);
    if (query.i >= query.width) throw refusePlainly('invalid_field', 'i', 'must be less than width');
    if (query.j >= query.height) throw refusePlainly('invalid_field', 'j', 'must be less than height');
    const password = this.#options.keys.wmsPassword(id);
    const relayed = await this.#options.relay.ask(wmsInfoQuestion({ layer, query, password }));
    const text = relayed.body.toString().replaceAll('\r\n', '\n').trim().slice(0, longestInfo);
    return { ...relayed, body: Buffer.from(JSON.stringify({ text })) };
  }

  /** What a service to be set up offers. */
  async capabilities({ url, username, password, unique_id }: WmsAddress): Promise<WmsOffer> {
    const secret = typeof password === 'string' ? password : password && this.#storedPassword(unique_id, url);
    const asked = wmsCapabilitiesQuestion({ id: 'capabilities', url, username, password: secret });
    const { body } = await this.#options.relay.ask(asked);
    const offer = readCapabilities(body.toString());
    if (offer === null)
      throw new Refusal('provider_answer_invalid', 'it answered no capabilities of a Web Map Service');
    return offer;
  }

  #layer(id: string): WmsLayer {
    const layer = this.#options.settings().wms_layers.find(({ unique_id }) => unique_id === id);
    if (layer === undefined) throw new Refusal('not_found', 'there is no such layer');
    return layer;
  }

  /** A password goes only to the origin that it was given for. */
  #storedPassword(id: string | undefined, url: string): string | undefined {
    const { settings, keys } = this.#options;
    const layer = settings().wms_layers.find(({ unique_id }) => unique_id === id);
    const isSame = layer !== undefined && new URL(layer.url).origin === new URL(url).origin;
    const secret = isSame ? keys.wmsPassword(layer.unique_id) : undefined;
    if (secret === undefined) throw refuseField('invalid_field', 'password', why('secret_elsewhere'));
    return secret;
  }
}

function refuseEmpty(bbox: string): void {
  const [west = 0, south = 0, east = 0, north = 0] = bbox.split(',').map(Number);
  if (west >= east || south >= north) throw refusePlainly('invalid_field', 'bbox', 'encloses nothing');
}
