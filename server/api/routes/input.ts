import { inputEndpoints, inputKind } from '../../contract/input.ts';
import type { InputService } from '../../services/device/input.ts';
import type { ControllerService } from '../../services/device/controller.ts';
import { defineRoute, type Route } from '../route.ts';
import { settingsRoutes } from './controller-settings.ts';

export interface InputServices {
  inputs: InputService;
  controllers: ControllerService;
}

export function inputRoutes({ inputs, controllers }: InputServices): Route[] {
  return [
    ...settingsRoutes(inputKind, () => inputs),
    defineRoute(inputEndpoints.forceMeasurement, async ({ params: { input_id } }) => ({
      input_id,
      readings: await controllers.forceMeasurement(input_id),
    })),
  ];
}
