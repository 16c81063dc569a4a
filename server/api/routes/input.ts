import { inputEndpoints } from '../../contract/input.ts';
import type { InputService } from '../../services/device/input.ts';
import type { ControllerService } from '../../services/device/controller.ts';
import { pageOf } from '../page.ts';
import { defineRoute, Reply, type Route } from '../route.ts';

export interface InputServices {
  inputs: InputService;
  controllers: ControllerService;
}

export function inputRoutes({ inputs, controllers }: InputServices): Route[] {
  return [
    defineRoute(inputEndpoints.list, ({ query }) => {
      const { page, next_cursor } = pageOf(inputs.list(), query, ({ unique_id }) => unique_id);
      return { inputs: page, next_cursor };
    }),
    defineRoute(inputEndpoints.create, async ({ body, actor }) => {
      const input = await inputs.create(actor, body);
      return new Reply(201, input, { Location: `/api/settings/inputs/${input.unique_id}` });
    }),
    defineRoute(inputEndpoints.get, ({ params }) => inputs.get(params.input_id)),
    defineRoute(inputEndpoints.change, ({ params, body, actor }) => inputs.change(actor, params.input_id, body)),
    defineRoute(inputEndpoints.remove, async ({ params, actor }) => {
      await inputs.remove(actor, params.input_id);
      return { unique_id: params.input_id, deleted: true as const };
    }),
    defineRoute(inputEndpoints.forceMeasurement, async ({ params: { input_id } }) => ({
      input_id,
      readings: await controllers.forceMeasurement(input_id),
    })),
  ];
}
