import { safetyEndpoints } from '../../contract/safety.ts';
import type { EmergencyStopService } from '../../services/device/emergency-stop.ts';
import { defineRoute, type Route } from '../route.ts';

export function safetyRoutes(emergencyStop: EmergencyStopService): Route[] {
  return [
    defineRoute(safetyEndpoints.getEmergencyStop, () => emergencyStop.get()),
    defineRoute(safetyEndpoints.stopAll, ({ body, actor }) => emergencyStop.stop(actor, body.reason)),
    defineRoute(safetyEndpoints.release, ({ body, actor }) => emergencyStop.release(actor, body.reason)),
  ];
}
