import type { ActuatorBinding } from '../../contract/facility.ts';
import { actuatorTests, type Medium } from '../../domain/commissioning/actuator-test.ts';
import type { OutputChannelState } from '../../contract/output.ts';
import type { Clock } from '../clock.ts';
import type { Outputs } from '../controllers/outputs.ts';

interface DisturbanceOptions {
  outputs: Outputs;
  clock: Clock;
}

/** Knows what else moves in the house while something is tried. */
export class Disturbance {
  readonly #actuators: readonly ActuatorBinding[];
  readonly #options: DisturbanceOptions;
  readonly #begun_s: number;
  readonly #restored = new Map<Medium, number>();

  constructor(actuators: readonly ActuatorBinding[], options: DisturbanceOptions) {
    this.#actuators = actuators;
    this.#options = options;
    this.#begun_s = options.clock.elapsed() / 1000;
  }

  /** This check brought something of the media back: what follows begins from here. */
  restored(touched: readonly Medium[]): void {
    for (const medium of touched) this.#restored.set(medium, this.#options.clock.elapsed() / 1000);
  }

  /** Elapsed s; the beginning of the check for a medium that was not touched. */
  quietSince_s(medium: Medium): number {
    return this.#restored.get(medium) ?? this.#begun_s;
  }

  /** The name of another actuator of the medium that somebody moved in the last readings since then. */
  disturber(tried: ActuatorBinding, since_s: number): string | null {
    const { clock } = this.#options;
    const { medium, affects } = actuatorTests[tried.role];
    const from_s = Math.max(since_s, clock.elapsed() / 1000 - lookBack_s);
    const fromMs = clock.now() - (clock.elapsed() - from_s * 1000);
    const others = this.#actuators.filter((other) => other !== tried && actuatorTests[other.role].medium === medium);
    const found = others.find((other) => {
      const isRelated = actuatorTests[other.role].affects.some((quantity) => affects.includes(quantity));
      const changedAt = this.#state(other)?.changed_at;
      return isRelated && changedAt != null && Date.parse(changedAt) > fromMs;
    });
    return found?.name ?? null;
  }

  isEmergency(): boolean {
    return this.#actuators.some((binding) => this.#state(binding)?.source === 'emergency_stop');
  }

  #state({ device_id, channel }: ActuatorBinding): OutputChannelState | undefined {
    const { outputs } = this.#options;
    return outputs.has(device_id) ? outputs.channel(device_id, channel).state() : undefined;
  }
}

/** What moved longer ago is part of the baseline's drift, s. */
const lookBack_s = 30;
