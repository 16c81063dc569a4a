import { measurementSettingEndpoints as endpoints } from '../../contract/measurement-setting.ts';
import type { MeasurementSettingService } from '../../services/measurement/setting.ts';
import { pageOf } from '../page.ts';
import { defineRoute, Reply, type Route } from '../route.ts';

export function measurementSettingRoutes(settings: MeasurementSettingService): Route[] {
  return [
    defineRoute(endpoints.list, ({ query }) => {
      const { page, next_cursor } = pageOf(settings.list(), query, ({ unique_id }) => unique_id);
      return { measurements: page, next_cursor };
    }),
    defineRoute(endpoints.create, ({ body, actor }) => {
      const made = settings.create(actor, body);
      return new Reply(201, made, { Location: `/api/settings/measurements/${made.unique_id}` });
    }),
    defineRoute(endpoints.get, ({ params }) => settings.get(params.measurement_id)),
    defineRoute(endpoints.change, ({ params, body, actor }) => settings.change(actor, params.measurement_id, body)),
    defineRoute(endpoints.remove, ({ params, actor }) => {
      settings.remove(actor, params.measurement_id);
      return { unique_id: params.measurement_id, deleted: true as const };
    }),
  ];
}
