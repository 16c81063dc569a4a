import type { ActuatorReading, RuntimeLevel, RuntimeResult } from '../../contract/facility.ts';
import type { Output } from '../../contract/output.ts';
import { isRunning } from './readings.ts';

interface Driven {
  reading: Pick<ActuatorReading, 'state'>;
  /** undefined: the device is gone. */
  output: Pick<Output, 'is_activated'> | undefined;
  isPausing: boolean;
}

/**
 * The level of a facility; the pause of a cycle is part of its run. What is unknown may run: idle means that the state
 * of every active actuator is known.
 */
export function levelOf(alerts: RuntimeResult['alerts']['level'], actuators: readonly Driven[]): RuntimeLevel {
  if (alerts === 'warning' || alerts === 'emergency') return alerts;
  const active = actuators.filter(({ output }) => output?.is_activated === true);
  if (active.some(({ reading, isPausing }) => isRunning(reading) || isPausing)) return 'active';
  const isUnwatched = active.length === 0 && actuators.length > 0;
  return isUnwatched || active.some(({ reading }) => reading.state === null) ? 'unknown' : 'idle';
}
