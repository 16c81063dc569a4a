import { z } from 'zod';
import { optional, remoteMethod, required } from './method.ts';
import { actionOutcome } from '../action.ts';
import { byActor, id, success } from './parameters.ts';

const conditionId = required('condition_id', id);
const uniqueId = required('unique_id', id);
const functionId = required('function_id', id);
const debug = optional('debug', z.boolean(), false);
const anyRecord = z.record(z.string(), z.unknown()).readonly();

/** Conditional functions and their parts. */
export const conditionalMethods = {
  get_condition_measurement: remoteMethod({
    does: 'the measurement of a condition',
    access: 'network',
    parameters: [conditionId],
    answer: z.number().nullable(),
  }),
  get_condition_measurement_dict: remoteMethod({
    does: 'the measurements of a condition with their times',
    access: 'network',
    parameters: [conditionId],
    answer: z.array(z.tuple([z.number(), z.number().nullable()])).nullable(),
  }),
  refresh_daemon_conditional_settings: remoteMethod({
    does: 'give a conditional function its changed settings',
    access: 'loopback',
    parameters: [uniqueId],
    answer: success,
    actsOn: 'unique_id',
  }),
};

export const triggerMethods = {
  refresh_daemon_trigger_settings: remoteMethod({
    does: 'give a trigger its changed settings',
    access: 'loopback',
    parameters: [uniqueId],
    answer: success,
    actsOn: 'unique_id',
  }),
};

/** Functions, and the commands that a module of any kind declares. */
export const functionMethods = {
  function_status: remoteMethod({
    does: 'what a function says of itself',
    access: 'network',
    parameters: [functionId],
    answer: z.unknown(),
  }),
  module_function: remoteMethod({
    does: 'run a command that a module declares',
    access: 'loopback',
    parameters: [
      required('controller_type', z.string().min(1).max(50)),
      uniqueId,
      required('button_id', z.string().min(1).max(200)),
      required('args_dict', anyRecord),
      optional('thread', z.boolean(), true),
      optional('return_from_function', z.boolean(), false),
    ],
    answer: z.tuple([z.int(), z.unknown()]),
    actsOn: 'unique_id',
  }),
};

export const actionMethods = {
  trigger_action: remoteMethod({
    does: 'run one action',
    access: 'loopback',
    parameters: [required('action_id', id), optional('value', anyRecord, {}), debug, byActor],
    answer: actionOutcome,
    actsOn: 'action_id',
  }),
  trigger_all_actions: remoteMethod({
    does: 'run all actions of a function',
    access: 'loopback',
    parameters: [functionId, optional('message', z.string().max(10_000), ''), debug, byActor],
    answer: z.array(actionOutcome),
    actsOn: 'function_id',
  }),
};
