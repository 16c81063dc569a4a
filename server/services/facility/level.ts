import type { ActuatorReading, RuntimeLevel, RuntimeResult } from '../../contract/facility.ts';
import type { Output } from '../../contract/output.ts';
import { isRunning } from './readings.ts';

interface Driven {
  reading: Pick<ActuatorReading, 'state'>;
  /** undefined: the device is gone. */
  output: Pick<Output, 'is_activated'> | undefined;
}

/** The level of a facility. What is unknown may run: idle means that the state of every active actuator is known. */
export function levelOf(alerts: RuntimeResult['alerts']['level'], actuators: readonly Driven[]): RuntimeLevel {
  if (alerts === 'warning' || alerts === 'emergency') return alerts;
  const active = actuators.flatMap(({ reading, output }) => (output?.is_activated === true ? [reading] : []));
  if (active.some(isRunning)) return 'active';
  const isUnwatched = active.length === 0 && actuators.length > 0;
  return isUnwatched || active.some(({ state }) => state === null) ? 'unknown' : 'idle';
}
