import { unitEndpoints } from '../../contract/unit.ts';
import type { UnitService } from '../../services/measurement/unit.ts';
import { pageOf } from '../page.ts';
import { defineRoute, Reply, type Route } from '../route.ts';

export function unitRoutes(units: UnitService): Route[] {
  return [
    defineRoute(unitEndpoints.list, ({ query }) => {
      const { units: own, delivered } = units.list();
      const { page, next_cursor } = pageOf(own, query, ({ unique_id }) => unique_id);
      return { units: page, delivered, next_cursor };
    }),
    defineRoute(unitEndpoints.create, ({ body, actor }) => {
      const unit = units.create(actor, body);
      return new Reply(201, unit, { Location: `/api/settings/units/${unit.unique_id}` });
    }),
    defineRoute(unitEndpoints.get, ({ params }) => units.get(params.unit_id)),
    defineRoute(unitEndpoints.change, ({ params, body, actor }) => units.change(actor, params.unit_id, body)),
    defineRoute(unitEndpoints.remove, ({ params, actor }) => {
      units.remove(actor, params.unit_id);
      return { unique_id: params.unit_id, deleted: true as const };
    }),
  ];
}
