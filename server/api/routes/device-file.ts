import { deviceFileEndpoints } from '../../contract/device-file.ts';
import type { DeviceFileService } from '../../services/device/device-file.ts';
import { defineRoute, type Route } from '../route.ts';

export function deviceFileRoutes(deviceFile: DeviceFileService): Route[] {
  return [
    defineRoute(deviceFileEndpoints.read, () => deviceFile.read()),
    defineRoute(deviceFileEndpoints.take, ({ query, body, actor }) =>
      deviceFile.take(actor, body, query.dry_run ?? false),
    ),
  ];
}
