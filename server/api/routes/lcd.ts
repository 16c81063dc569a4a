import { lcdEndpoints } from '../../contract/lcd.ts';
import type { ControllerService } from '../../services/device/controller.ts';
import type { LcdService } from '../../services/device/lcd.ts';
import { pageOf } from '../page.ts';
import { defineRoute, Reply, type Route } from '../route.ts';

export interface LcdServices {
  lcds: LcdService;
  controllers: ControllerService;
}

export function lcdRoutes({ lcds, controllers }: LcdServices): Route[] {
  return [
    defineRoute(lcdEndpoints.listSettings, ({ query }) => {
      const { page, next_cursor } = pageOf(lcds.list(), query, ({ unique_id }) => unique_id);
      return { lcds: page, next_cursor };
    }),
    defineRoute(lcdEndpoints.create, async ({ body, actor }) => {
      const lcd = await lcds.create(actor, body);
      return new Reply(201, lcd, { Location: `/api/settings/lcds/${lcd.unique_id}` });
    }),
    defineRoute(lcdEndpoints.getSettings, ({ params }) => lcds.get(params.lcd_id)),
    defineRoute(lcdEndpoints.change, ({ params, body, actor }) => lcds.change(actor, params.lcd_id, body)),
    defineRoute(lcdEndpoints.remove, async ({ params, actor }) => {
      await lcds.remove(actor, params.lcd_id);
      return { unique_id: params.lcd_id, deleted: true as const };
    }),
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
