import { lcdEndpoints, lcdKind } from '../../contract/lcd.ts';
import type { ControllerService } from '../../services/device/controller.ts';
import type { LcdService } from '../../services/device/lcd.ts';
import { defineRoute, type Route } from '../route.ts';
import { settingsRoutes } from './controller-settings.ts';

export interface LcdServices {
  lcds: LcdService;
  controllers: ControllerService;
}

export function lcdRoutes({ lcds, controllers }: LcdServices): Route[] {
  return [
    ...settingsRoutes(
      { ...lcdKind, endpoints: { ...lcdEndpoints, list: lcdEndpoints.listSettings, get: lcdEndpoints.getSettings } },
      () => lcds,
    ),
    defineRoute(lcdEndpoints.list, () => ({ lcds: lcds.listLive() })),
    defineRoute(lcdEndpoints.get, ({ params }) => lcds.getLive(params.lcd_id)),
    defineRoute(lcdEndpoints.backlight, async ({ params: { lcd_id }, body: { state, color }, actor }) => {
      if (color !== undefined) await controllers.commandLcd(actor, lcd_id, { color });
      return controllers.commandLcd(actor, lcd_id, { backlight: state });
    }),
    defineRoute(lcdEndpoints.flash, ({ params, body, actor }) =>
      controllers.commandLcd(actor, params.lcd_id, { flash: body.state }),
    ),
    defineRoute(lcdEndpoints.reset, ({ params, actor }) =>
      controllers.commandLcd(actor, params.lcd_id, { reset: true }),
    ),
  ];
}
