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

/** The REST call by which a driver searches for devices. */
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

/** One for each driver that searches, by its name. */
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
