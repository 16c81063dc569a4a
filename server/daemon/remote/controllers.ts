import type { controllerMethods } from '../../contract/remote/controller.ts';
import type { inputMethods } from '../../contract/remote/input.ts';
import type { Activation } from '../controllers/activation.ts';
import type { Inputs } from '../controllers/input/inputs.ts';
import type { Safety } from '../safety/safety.ts';
import { isServer } from './access.ts';
import type { HandlersOf } from './handlers.ts';

interface ControllerParts {
  activation: Activation;
  safety: Safety;
}

export function controllerHandlers({ activation, safety }: ControllerParts): HandlersOf<typeof controllerMethods> {
  return {
    controller_activate: ({ controller_id, controller_type }, call) =>
      isServer(call)
        ? activation.activate(controller_id, controller_type)
        : activation.obey(controller_id, true, controller_type),
    controller_deactivate: ({ controller_id, controller_type }, call) =>
      isServer(call)
        ? activation.deactivate(controller_id, controller_type)
        : activation.obey(controller_id, false, controller_type),
    controller_restart: ({ controller_id }) => activation.restart(controller_id),
    controller_refresh: ({ controller_id }, call) => activation.refresh(controller_id, isServer(call)),
    controller_is_active: ({ controller_id }) => activation.isActive(controller_id),
    refresh_daemon_misc_settings: async () => {
      safety.refresh();
      await activation.refreshOutputs();
      return 'success' as const;
    },
  };
}

interface InputParts {
  activation: Activation;
  inputs: Inputs;
}

export function inputHandlers({ activation, inputs }: InputParts): HandlersOf<typeof inputMethods> {
  return {
    input_force_measurements: async ({ input_id }) => {
      // Many programs look only at the status and take an exception for success.
      if (!activation.isKnown('Input', input_id)) return [1, `there is no input ${input_id}`];
      if (!inputs.has(input_id)) return [1, `input ${input_id} is not active`];
      const failure = await inputs.measure(input_id);
      return failure === null ? [0, 'read and stored'] : [1, failure];
    },
  };
}
