import { z } from 'zod';
import { pathOf, type ProviderQuestion } from './question.ts';
import type { Upstreams } from './upstreams.ts';

/** Continuous cadastral map: one polygon a parcel. */
const cadastre = 'LP_PA_CBND_BUBUN';

const status = z.enum(['OK', 'NOT_FOUND', 'ERROR']);
const fault = z.looseObject({ code: z.string().optional(), text: z.string().optional() });
const decimal = z.coerce.number();

export const vworldPlace = z.looseObject({
  response: z.looseObject({
    status,
    error: fault.optional(),
    refined: z.looseObject({ text: z.string().optional() }).optional(),
    result: z.looseObject({ point: z.looseObject({ x: decimal, y: decimal }) }).optional(),
  }),
});

export const vworldParcels = z.looseObject({
  response: z.looseObject({
    status,
    error: fault.optional(),
    result: z
      .looseObject({
        featureCollection: z.looseObject({
          features: z.array(
            z.looseObject({
              geometry: z.looseObject({ type: z.string(), coordinates: z.unknown() }),
              properties: z.looseObject({ pnu: z.string().optional(), addr: z.string().optional() }),
            }),
          ),
        }),
      })
      .optional(),
  }),
});

export type VworldFault = z.infer<typeof fault>;

export interface VworldAccess {
  upstreams: Pick<Upstreams, 'vworld'>;
  key: string;
  /** The domain for which the key was registered. */
  domain: string | undefined;
}

/**
 * Where an address is, in degrees: `parcel` by lot number, `road` by road name. The terms forbid keeping the answer.
 */
export function vworldPlaceQuestion(access: VworldAccess, address: string, type: 'parcel' | 'road'): ProviderQuestion {
  const path = pathOf('/req/address', {
    service: 'address',
    request: 'getcoord',
    version: '2.0',
    crs: 'epsg:4326',
    format: 'json',
    refine: 'true',
    simple: 'false',
    type,
    address,
  });
  return { ...asked(access), path, expects: vworldPlace };
}

export function vworldParcelsQuestion(access: VworldAccess, { x, y }: { x: number; y: number }): ProviderQuestion {
  const path = pathOf('/req/data', {
    service: 'data',
    request: 'GetFeature',
    data: cadastre,
    format: 'json',
    crs: 'EPSG:4326',
    size: 10,
    geometry: 'true',
    attribute: 'true',
    geomFilter: `POINT(${x} ${y})`,
    domain: access.domain,
  });
  return { ...asked(access), path, expects: vworldParcels };
}

function asked({
  upstreams,
  key,
}: VworldAccess): Pick<ProviderQuestion, 'upstream' | 'credentials' | 'limit_ms' | 'fresh_ms' | 'keep_ms'> {
  return { upstream: upstreams.vworld, credentials: { query: { key } }, limit_ms: 5_000, fresh_ms: 0, keep_ms: 0 };
}
