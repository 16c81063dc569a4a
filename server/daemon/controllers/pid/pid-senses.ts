import type { Method } from '../../../contract/method.ts';
import type { LastValue } from '../../../contract/measurement.ts';
import type { ControlMeasurement, Pid } from '../../../contract/pid.ts';
import type { Reason } from '../../../contract/reason.ts';
import { RemoteFailure } from '../../../contract/remote/failure.ts';
import { isOtherUnit } from '../../../contract/units.ts';
import type { Curve } from '../../../domain/control/methods/knots.ts';
import type { Clock } from '../../clock.ts';
import type { LiveValues } from '../../events/live-values.ts';
import type { PidLoop } from './pid-loop.ts';

/** What a PID acts on at one moment. */
export interface Reading {
  setpoint: number;
  measurement: number;
  measured_ms: number;
  unit: string;
}

interface SensesHost {
  clock: Pick<Clock, 'now'>;
  live: Pick<LiveValues, 'last'>;
  /** The setpoint of a method over time; undefined when there is no such method. */
  curve: (methodId: string) => Curve | undefined;
  method: (methodId: string) => Pick<Method, 'name' | 'unit'> | undefined;
}

type Asked = { value: number | null; unit: string };

/** What one PID reads: its measurement and its setpoint, both in one unit. */
export class PidSenses {
  readonly #host: SensesHost;
  /** The measurement's unit when a number became the setpoint; null before the first reading since. */
  #unit: string | null = null;

  constructor(host: SensesHost) {
    this.#host = host;
  }

  /** The unit in which a numeric setpoint is meant; null before the first reading. */
  get unit(): string | null {
    return this.#unit;
  }

  /**
   * States the unit in which the setpoint is meant (as the last daemon stored it); null for the measurement's unit from
   * now on.
   */
  meantIn(unit: string | null): void {
    this.#unit = unit;
  }

  /**
   * The reading, or why there is none: a value is missing, bad or too old, or setpoint and measurement have different
   * units.
   */
  read(loop: PidLoop): Reading | Reason {
    const last = this.#last(loop.settings.measurement);
    if (last === null) return missing;
    this.#unit ??= last.unit;
    const asked = this.#asked(loop, this.#unit);
    if (asked.value === null) return missing;
    if (isOtherUnit(asked.unit, last.unit))
      return { code: 'pid_other_unit', facts: { given: { text: asked.unit }, needed: { text: last.unit } } };
    return { setpoint: asked.value, measurement: last.value, measured_ms: last.time_ms, unit: last.unit };
  }

  /** Throws RemoteFailure `invalid_argument` for a method whose unit is not the measurement's. */
  refuseOther(methodId: string): void {
    const method = this.#host.method(methodId);
    if (method === undefined || this.#unit === null || !isOtherUnit(method.unit, this.#unit)) return;
    const units = `${method.unit}, the measurement in ${this.#unit}`;
    throw new RemoteFailure('invalid_argument', `value: method ${method.name} is in ${units}`);
  }

  #asked({ setpoint, method_id, settings }: PidLoop, unit: string): Asked {
    if (setpoint !== null) return { value: setpoint, unit };
    if (method_id !== null) return this.#ofMethod(method_id, unit);
    const last = settings.setpoint_measurement && this.#last(settings.setpoint_measurement);
    return { value: last?.value ?? null, unit: last?.unit ?? unit };
  }

  #ofMethod(id: string, unit: string): Asked {
    const value = this.#host.curve(id)?.(this.#host.clock.now()) ?? null;
    return { value, unit: this.#host.method(id)?.unit ?? unit };
  }

  #last({
    device_id,
    measurement_id,
    max_age_s,
  }: ControlMeasurement): (Pick<LastValue, 'time_ms' | 'unit'> & { value: number }) | null {
    const last = this.#host.live.last(device_id, measurement_id, max_age_s);
    if (last === undefined || last.value === null || last.quality === 'bad') return null;
    return { value: last.value, time_ms: last.time_ms, unit: last.unit };
  }
}

const missing: Reason = { code: 'pid_no_reading', facts: {} };

/** Whether a numeric setpoint is meant afresh: because it changed, or because the measurement did. */
export function isMeantAnew(before: Pid, after: Pid): boolean {
  const { device_id, measurement_id } = before.measurement;
  const { device_id: id, measurement_id: series } = after.measurement;
  return before.setpoint !== after.setpoint || device_id !== id || measurement_id !== series;
}
