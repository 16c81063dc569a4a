import { remoteMethod, required } from './method.ts';
import { id, statusPair } from './parameters.ts';

export const inputMethods = {
  input_force_measurements: remoteMethod({
    does: 'read an input now, and store it',
    access: 'network',
    parameters: [required('input_id', id)],
    answer: statusPair,
    actsOn: 'input_id',
  }),
};
