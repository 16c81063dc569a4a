import { methodEndpoints } from '../../contract/method.ts';
import type { MethodService } from '../../services/device/method.ts';
import { defineRoute, type Route } from '../route.ts';

/** The setpoints of methods; their settings are stored like those of the other kinds. */
export function methodRoutes(methods: MethodService): Route[] {
  return [
    defineRoute(methodEndpoints.preview, ({ params, query }) => methods.preview(params.method_id, query)),
    defineRoute(methodEndpoints.previewDraft, ({ body }) => methods.previewDraft(body)),
  ];
}
