import type { Endpoint } from '../../server/contract/endpoint.ts';
import * as contractModules from '../../server/contract/modules.ts';

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'path' in value && 'answer' in value && 'access' in value;
}

/** Every endpoint that the contract declares, in groups by resource. */
export const contractEndpoints: readonly Endpoint[] = Object.values<Readonly<Record<string, unknown>>>(contractModules)
  .flatMap((module) => Object.values(module))
  .flatMap((group) => (typeof group === 'object' && group !== null ? Object.values<unknown>({ ...group }) : []))
  .filter(isEndpoint);
