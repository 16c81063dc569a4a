import { z } from 'zod';
import { emergencyStop } from '../safety.ts';
import { optional, remoteMethod } from './method.ts';
import { byActor } from './parameters.ts';

/** Stopping everything, and releasing it again. */
export const safetyMethods = {
  emergency_stop: remoteMethod({
    does: 'drive every output to its safe state and hold it there',
    access: 'network',
    parameters: [optional('reason', z.string().max(500).nullable(), null), byActor],
    answer: emergencyStop,
  }),
  emergency_stop_get: remoteMethod({
    does: 'whether the emergency stop holds, since when and by whom',
    access: 'network',
    parameters: [],
    answer: emergencyStop,
  }),
  emergency_stop_release: remoteMethod({
    does: 'release the emergency stop; outputs stay as they are',
    access: 'network',
    parameters: [byActor],
    answer: emergencyStop,
  }),
};
