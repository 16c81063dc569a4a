import { z } from 'zod';
import { drivers, searchingDrivers, type SearchingDriver, type SearchOf } from './drivers/index.ts';
import { deviceKinds, type DriverSearch } from './drivers/driver.ts';
import { endpoint, type Endpoint } from './endpoint.ts';

export const driverDescription = z.strictObject({
  driver: z.string(),
  name: z.string(),
  kinds: z.array(z.enum(deviceKinds)),
  summary: z.string(),
  options_schema: z.record(z.string(), z.json()).describe('JSON Schema of the options'),
});
export type DriverDescription = z.infer<typeof driverDescription>;

/** Where a driver looks for devices, as REST asks it. */
function searchEndpoint(name: string, { summary, query, found }: DriverSearch): Endpoint {
  return endpoint({
    method: 'POST',
    path: `/api/drivers/${name}/probe`,
    tag: 'drivers',
    summary,
    access: 'edit_controllers',
    body: query,
    answer: found,
    statuses: [200],
    errors: ['daemon_unreachable'],
  });
}

type SearchEndpoints = {
  [Name in SearchingDriver]: Endpoint<z.ZodUndefined, z.ZodUndefined, SearchOf<Name>['query'], SearchOf<Name>['found']>;
};

/** Of each driver that looks for devices, by its name. */
export const driverSearchEndpoints = Object.fromEntries(
  searchingDrivers.map((name) => [name, searchEndpoint(name, drivers[name].search)]),
) as Readonly<Record<SearchingDriver, Endpoint>> as SearchEndpoints; // each with the schemas of its own name

export const driverEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/drivers',
    tag: 'drivers',
    summary: 'List the drivers with the schemas of their options',
    access: 'view_settings',
    answer: z.strictObject({ drivers: z.array(driverDescription) }),
    statuses: [200],
    errors: ['daemon_unreachable'],
  }),
};
