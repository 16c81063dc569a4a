import { driverEndpoints } from '../../contract/driver.ts';
import type { DriverService } from '../../services/device/driver.ts';
import { defineRoute, type Route } from '../route.ts';

export function driverRoutes(drivers: DriverService): Route[] {
  return [
    defineRoute(driverEndpoints.list, async () => ({ drivers: await drivers.list() })),
    defineRoute(driverEndpoints.probeModbus, ({ body }) => drivers.probeModbus(body)),
    defineRoute(driverEndpoints.probeMqtt, ({ body }) => drivers.probeMqtt(body)),
  ];
}
