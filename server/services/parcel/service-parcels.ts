import { Refusal } from '../../contract/errors.ts';
import type { ParcelService } from '../../contract/parcel-service.ts';
import { readGmlFeatures } from '../../upstream/gml.ts';
import {
  arcgisAnswer,
  arcgisAtQuestion,
  arcgisFindQuestion,
  wfsAtQuestion,
  wfsFindQuestion,
} from '../../upstream/parcel-service.ts';
import type { ProviderQuestion } from '../../upstream/question.ts';
import type { Relay } from '../proxy/relay.ts';
import { providerAttribution } from '../../contract/provider.ts';
import { drawableOf, noParcels, type FoundParcels, type ParcelProvider, type Place } from './provider.ts';

interface Found {
  values: ReadonlyMap<string, string>;
  geometry: { type: string; coordinates: unknown };
}

interface Protocol {
  at: (service: ParcelService, place: Place) => ProviderQuestion;
  find: (service: ParcelService, wanted: { field: string; text: string }) => ProviderQuestion;
  /** Throws `provider_answer_invalid`, `provider_refused`. */
  read: (body: string) => Found[];
}

const protocols: Readonly<Record<ParcelService['kind'], Protocol>> = {
  wfs: { at: wfsAtQuestion, find: wfsFindQuestion, read: readWfs },
  arcgis: { at: arcgisAtQuestion, find: arcgisFindQuestion, read: readArcgis },
};

interface ServiceOptions {
  service: ParcelService;
  relay: Pick<Relay, 'ask'>;
  /** Where an address is, for services that need a place; none when unknown. */
  placesOf: (address: string) => Promise<Place[]>;
}

/** Parcels of a server that an administrator entered. */
export class ServiceParcels implements ParcelProvider {
  readonly #options: ServiceOptions;

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  async find(address: string): Promise<FoundParcels> {
    const { service, placesOf } = this.#options;
    const field = service.address_field;
    if (field !== undefined) {
      return this.#ask(protocols[service.kind].find(service, { field, text: address }), address);
    }
    const [place] = await placesOf(address);
    if (place === undefined) return noParcels;
    const found = await this.#ask(protocols[service.kind].at(service, place), address);
    const credited = (own: string): string => `${own}, ${providerAttribution.nominatim}`;
    return {
      ...found,
      parcels: found.parcels.map((one) => ({ ...one, attribution: credited(one.attribution) })),
    };
  }

  async at(place: Place): Promise<FoundParcels> {
    const { service } = this.#options;
    return this.#ask(protocols[service.kind].at(service, place), '');
  }

  /** `address` names parcels that have none of their own. */
  async #ask(question: ProviderQuestion, address: string): Promise<FoundParcels> {
    const { service, relay } = this.#options;
    const { body } = await relay.ask(question);
    const sent = protocols[service.kind].read(body.toString()).map(({ values, geometry }) => {
      const value = (field: string | undefined): string | undefined => field && values.get(field);
      return {
        address: value(service.address_field) ?? address,
        parcel_id: value(service.id_field) ?? '',
        geometry,
        provider: service.id,
        attribution: service.attribution ?? service.name,
      };
    });
    return drawableOf(sent);
  }
}

function readWfs(body: string): Found[] {
  const features = readGmlFeatures(body);
  if (features === null) throw new Refusal('provider_answer_invalid', 'it answered no parcels in GML and WGS 84');
  return features
    .filter(({ polygons }) => polygons?.length !== 0)
    .map(({ values, polygons }) => {
      const [first, ...others] = polygons ?? [];
      return {
        values,
        geometry:
          others.length === 0
            ? { type: 'Polygon', coordinates: first }
            : { type: 'MultiPolygon', coordinates: [first, ...others] },
      };
    });
}

function readArcgis(body: string): Found[] {
  const answer = arcgisAnswer.parse(JSON.parse(body));
  if (!('features' in answer)) {
    throw new Refusal('provider_refused', 'it refused the question: check the layer and its fields');
  }
  return answer.features.flatMap(({ geometry, properties }) => {
    if (geometry === null) return [];
    const values = Object.entries(properties ?? {}).flatMap(([name, value]): [string, string][] =>
      value === null ? [] : [[name, String(value)]],
    );
    return [{ values: new Map(values), geometry: { ...geometry, coordinates: geometry.coordinates } }];
  });
}
