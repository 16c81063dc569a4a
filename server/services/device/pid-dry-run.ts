import type { Now } from '../../auth/now.ts';
import type { dryRunEndpoints } from '../../contract/dry-run.ts';
import type { AnswerOf, BodyOf } from '../../contract/endpoint.ts';
import type { ControlMeasurement, Pid } from '../../contract/pid.ts';
import { isoOf } from '../../contract/time.ts';
import type { ControllerStores } from '../../db/repositories/controller-stores.ts';
import { pidDryRun } from '../../domain/control/dry-runs/pid.ts';
import { methodCurve } from '../../domain/control/methods/method.ts';
import { explained } from '../../domain/control/reason-text.ts';
import type { Place } from '../../domain/solar/sun-day.ts';
import type { LiveCache } from '../live/live.ts';

interface PidDryRunOptions {
  live: Pick<LiveCache, 'reading' | 'age_s'>;
  kinds: Pick<ControllerStores, 'method'>;
  /** Settings as they would be stored, in place of those with that id; throws if they would be refused. */
  drafted: (word: 'pid', sent: object, unique_id?: string) => Pid;
  place: () => Place;
  clock: Now;
}

type Endpoint = typeof dryRunEndpoints.pid;

/** Tries settings of PIDs on the present measurement; nothing is driven. */
export class PidDryRunService {
  readonly #options: PidDryRunOptions;

  constructor(options: PidDryRunOptions) {
    this.#options = options;
  }

  /** Throws the errors of storing them. */
  run(asked: BodyOf<Endpoint>): AnswerOf<Endpoint> {
    const pid = this.#options.drafted('pid', asked.pid, asked.unique_id);
    const last = this.#last(pid.measurement);
    const [setpoint, measurement] = [this.#setpointOf(pid), last?.value ?? null];
    const unit = last?.unit ?? null;
    const { terms, demand, reason } = pidDryRun(pid, { setpoint, measurement, unit: unit ?? '' });
    const nothing = { error: null, p: null, i: null, d: null, control: null };
    return {
      setpoint,
      measurement,
      unit,
      measured_at: last === null ? null : isoOf(last.time_ms),
      ...(terms ?? nothing),
      raise: demand.raise ?? null,
      lower: demand.lower ?? null,
      ...explained(reason),
    };
  }

  #setpointOf({ setpoint, method_id, setpoint_measurement }: Pid): number | null {
    if (setpoint_measurement !== null) return this.#last(setpoint_measurement)?.value ?? null;
    if (method_id === null) return setpoint;
    const { kinds, place, clock } = this.#options;
    const find = (id: string) => kinds.method.get(id);
    const method = find(method_id);
    return method === undefined ? null : methodCurve(method, { place: place(), find })(clock());
  }

  /** The last value, if it is good and young enough. */
  #last({ device_id, measurement_id, max_age_s }: ControlMeasurement) {
    const { live } = this.#options;
    const [last, age_s] = [live.reading(device_id, measurement_id), live.age_s(device_id, measurement_id)];
    if (last === undefined || last.value === null || last.quality === 'bad' || age_s === undefined) return null;
    return age_s > max_age_s ? null : { ...last, value: last.value };
  }
}
