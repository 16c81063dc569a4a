import { driverEndpoints, driverSearchEndpoints } from '../../contract/driver.ts';
import { searchingDrivers } from '../../contract/drivers/index.ts';
import type { DriverService } from '../../services/device/driver.ts';
import { defineRoute, type Route } from '../route.ts';

export function driverRoutes(drivers: DriverService): Route[] {
  return [
    defineRoute(driverEndpoints.list, async () => ({ drivers: await drivers.list() })),
    ...searchingDrivers.map((name) =>
      defineRoute(driverSearchEndpoints[name], ({ body }) => drivers.search(name, body)),
    ),
  ];
}
