import { settingEndpoints } from '../../contract/setting.ts';
import type { SettingService } from '../../services/setting/setting.ts';
import { defineRoute, type Route } from '../route.ts';

export function settingRoutes(settings: SettingService): Route[] {
  return [
    defineRoute(settingEndpoints.get, () => settings.get()),
    defineRoute(settingEndpoints.save, ({ body, actor }) => settings.save(body, actor)),
  ];
}
