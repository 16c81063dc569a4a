import type { ActuatorBinding } from '../../contract/facility.ts';
import type { Rest } from '../../domain/commissioning/sensor-balance.ts';
import { actuatorTests } from '../../domain/commissioning/actuator-test.ts';
import type { OutputChannelState } from '../../contract/output.ts';
import type { Clock } from '../clock.ts';
import type { Outputs } from '../controllers/output/outputs.ts';
import { isOn } from '../../contract/output-state.ts';

interface DisturbanceOptions {
  outputs: Outputs;
  clock: Clock;
  /** Whether this check drives it, or brings it back. */
  isOurs: (binding: ActuatorBinding) => boolean;
}

/** Knows what else moves in the house during a trial. */
export class Disturbance {
  readonly #actuators: readonly ActuatorBinding[];
  readonly #options: DisturbanceOptions;

  constructor(actuators: readonly ActuatorBinding[], options: DisturbanceOptions) {
    this.#actuators = actuators;
    this.#options = options;
  }

  /**
   * The name of another actuator that affects the same and that something other than this check has moved since then.
   */
  disturber(tried: ActuatorBinding, since_s: number): string | null {
    const { clock } = this.#options;
    const fromMs = clock.now() - (clock.elapsed() - since_s * 1000);
    const [main] = actuatorTests[tried.role].affects;
    if (main === undefined) return null;
    const found = this.#actuators.find((other) => {
      if (other === tried || !actuatorTests[other.role].affects.includes(main)) return false;
      const state = this.#state(other);
      if (state === undefined || state.changed_at == null || state.source === 'commissioning') return false;
      const isOwn = this.#options.isOurs(other);
      return !isOwn && Date.parse(state.changed_at) > fromMs;
    });
    return found?.name ?? null;
  }

  /** What is off, and whether all of it has been off for `over_s`. */
  rest(over_s: number): Omit<Rest, 'transmittance'> {
    const { clock } = this.#options;
    const known = this.#actuators.map((binding) => ({ role: binding.role, ...this.#state(binding) }));
    const isOff = (one: (typeof known)[number]): boolean => one.state != null && !isOn(one.state);
    return {
      isAtRest: known.every(
        (one) => isOff(one) && (one.changed_at == null || clock.now() - Date.parse(one.changed_at) > over_s * 1000),
      ),
      isOpenToSky: known.every((one) => actuatorTests[one.role].affects[0] !== 'light' || isOff(one)),
    };
  }

  isEmergency(): boolean {
    return this.#actuators.some((binding) => this.#state(binding)?.source === 'emergency_stop');
  }

  #state({ device_id, channel }: ActuatorBinding): OutputChannelState | undefined {
    const { outputs } = this.#options;
    return outputs.has(device_id) ? outputs.channel(device_id, channel).state() : undefined;
  }
}
