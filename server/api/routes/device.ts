import { deviceEndpoints } from '../../contract/device.ts';
import type { DeviceService } from '../../services/device/device.ts';
import { defineRoute, type Route } from '../route.ts';

export function deviceRoutes(devices: DeviceService): Route[] {
  return [
    defineRoute(deviceEndpoints.devices, ({ query }) => ({ devices: devices.devices(query.geo_id) })),
    defineRoute(deviceEndpoints.inputs, ({ query }) => ({ inputs: devices.inputs(query.geo_id) })),
    defineRoute(deviceEndpoints.outputs, ({ query }) => ({ outputs: devices.outputs(query.geo_id) })),
  ];
}
