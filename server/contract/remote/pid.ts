import { z } from 'zod';
import { pidAutotune, pidAutotuneStart } from '../pid-autotune.ts';
import { pidLive } from '../pid.ts';
import { remoteMethod, required } from './method.ts';
import { id, success } from './parameters.ts';

const pidId = required('pid_id', id);
const gains = ['integrator', 'derivator', 'kp', 'ki', 'kd'] as const;
const value = z.union([z.number(), z.string().min(1).max(200)]);
const switched = { access: 'network', parameters: [pidId], answer: success, actsOn: 'pid_id' } as const;

export const pidMethods = {
  pid_get: remoteMethod({
    does: 'setpoint, error, integrator, derivator, kp, ki or kd of a PID',
    access: 'network',
    parameters: [pidId, required('setting', z.enum(['setpoint', 'error', ...gains]))],
    answer: z.number().nullable(),
  }),
  /** The value for a method is its id. */
  pid_set: remoteMethod({
    does: 'set setpoint, method, integrator, derivator, kp, ki or kd',
    access: 'network',
    parameters: [pidId, required('setting', z.enum(['setpoint', 'method', ...gains])), required('value', value)],
    answer: success,
    actsOn: 'pid_id',
  }),
  pid_state: remoteMethod({
    does: 'state of a PID with its setpoint, measurement and shares',
    access: 'network',
    parameters: [pidId],
    answer: pidLive,
  }),
  pid_autotune_start: remoteMethod({
    does: 'begin a trial that proposes gains for a PID',
    access: 'loopback',
    parameters: [
      pidId,
      required('hysteresis', pidAutotuneStart.shape.hysteresis),
      required('least', pidAutotuneStart.shape.least),
      required('most', pidAutotuneStart.shape.most),
      required('max_s', pidAutotuneStart.shape.max_s),
    ],
    answer: pidAutotune,
    actsOn: 'pid_id',
  }),
  pid_autotune_get: remoteMethod({
    does: 'how far the trial of a PID is, and what it proposes',
    access: 'network',
    parameters: [pidId],
    answer: pidAutotune,
  }),
  pid_autotune_abort: remoteMethod({
    does: 'end the trial of a PID',
    access: 'loopback',
    parameters: [pidId],
    answer: pidAutotune,
    actsOn: 'pid_id',
  }),
  pid_hold: remoteMethod({ ...switched, does: 'keep the output of a PID as it is' }),
  pid_pause: remoteMethod({ ...switched, does: 'pause a PID' }),
  pid_resume: remoteMethod({ ...switched, does: 'let a PID go on' }),
  pid_mod: remoteMethod({ ...switched, does: 'give a PID its changed settings', access: 'loopback' }),
};
