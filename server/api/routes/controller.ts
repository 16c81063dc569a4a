import { controllerEndpoints } from '../../contract/controller.ts';
import type { ControllerService } from '../../services/device/controller.ts';
import { defineRoute, type Route } from '../route.ts';

export function controllerRoutes(controllers: ControllerService): Route[] {
  return [
    defineRoute(controllerEndpoints.activate, ({ params, body, actor }) =>
      controllers.activate(actor, params.controller_id, body.activate),
    ),
    defineRoute(controllerEndpoints.act, async ({ params, body, actor }) => ({
      controller_id: params.controller_id,
      results: await controllers.act(actor, params.controller_id, body),
    })),
  ];
}
