import { z } from 'zod';
import { optional, remoteMethod, required } from './method.ts';
import { id, statusPair, success } from './parameters.ts';

const controllerId = required('controller_id', id);
/** The type is found from the id; a given one is checked against it. */
const controllerType = optional('controller_type', z.string().nullish(), null);
const switched = {
  access: 'loopback',
  parameters: [controllerId, controllerType],
  answer: statusPair,
  actsOn: 'controller_id',
} as const;

/** Controllers of any kind. */
export const controllerMethods = {
  controller_activate: remoteMethod({ ...switched, does: 'start a controller' }),
  controller_deactivate: remoteMethod({ ...switched, does: 'stop a controller' }),
  controller_restart: remoteMethod({ ...switched, does: 'stop and start a controller', parameters: [controllerId] }),
  /** Moves no actuator unless its wiring changed. */
  controller_refresh: remoteMethod({
    ...switched,
    does: 'take up, change or release a controller, as its settings now say',
    parameters: [controllerId],
  }),
  controller_is_active: remoteMethod({
    does: 'whether a controller is at work',
    access: 'network',
    parameters: [controllerId],
    answer: z.boolean(),
  }),
  refresh_daemon_misc_settings: remoteMethod({
    does: 'read the general settings anew',
    access: 'loopback',
    parameters: [],
    answer: success,
  }),
};
