import { networkAddressEndpoints } from '../../contract/network-address.ts';
import { defineRoute, type Route } from '../route.ts';

export function networkAddressRoutes(addresses: () => string[]): Route[] {
  return [defineRoute(networkAddressEndpoints.list, () => ({ addresses: addresses() }))];
}
