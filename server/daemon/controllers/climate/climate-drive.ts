import type { Cause } from '../../../contract/cause.ts';
import { messageOf } from '../../../contract/message-of.ts';
import type { CommandSource } from '../../../contract/output.ts';
import type { Demand } from '../../../domain/climate-program/moment.ts';
import { climateReason } from '../../../contract/reason.ts';
import { explained } from '../../../domain/control/reason-text.ts';
import type { Clock } from '../../clock.ts';
import type { Outputs } from '../output/outputs.ts';
import type { BoundActuator } from './climate-house.ts';

/** Sources with higher priority than a program, whose demand then waits. */
const stronger: ReadonlySet<CommandSource> = new Set(['emergency_stop', 'safety', 'manual', 'commissioning']);
/** An unchanged demand is repeated this often, ms, because the numbers in its cause grow old. */
const sayAgainMs = 600_000;

interface Asked {
  actuator: BoundActuator;
  once: string | undefined;
  pct: number | null;
  cause: Cause;
  code: string;
  atMs: number;
}

/** The actuators of one program: claims them, commands them with reasons, and drives them safe. */
export class ClimateDrive {
  readonly #outputs: Outputs;
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #owner: () => { unique_id: string; name: string };
  readonly #asked = new Map<string, Asked>();

  constructor(options: {
    outputs: Outputs;
    clock: Pick<Clock, 'elapsed'>;
    owner: () => { unique_id: string; name: string };
  }) {
    this.#outputs = options.outputs;
    this.#clock = options.clock;
    this.#owner = options.owner;
  }

  /** Commands each demand; actuators no longer driven go safe. Returns what failed, null when nothing did. */
  async ask(demands: readonly Demand[], actuators: readonly BoundActuator[]): Promise<string | null> {
    const keys = new Set(actuators.map(({ key }) => key));
    const left = [...this.#asked].filter(([key]) => !keys.has(key));
    await Promise.all(left.map(([key, { actuator }]) => this.#release(key, actuator)));
    const asked = demands.map(async (demand) => {
      const actuator = actuators.find(({ key }) => key === demand.key);
      return actuator === undefined ? null : this.#ask(demand, actuator);
    });
    const failures = (await Promise.all(asked)).filter((one) => one !== null);
    return failures[0] ?? null;
  }

  /** The user or higher-priority source that has it now; null where none has. */
  overruledBy(actuator: BoundActuator): CommandSource | null {
    const source = this.#outputs.stateOf(actuator)?.source ?? null;
    return source !== null && stronger.has(source) ? source : null;
  }

  /** Drives all of them safe and releases them. */
  async letGo(): Promise<void> {
    this.#asked.clear();
    await this.#outputs.letGo(this.#owner().unique_id);
  }

  async #release(key: string, { output_id, channel }: BoundActuator): Promise<void> {
    this.#asked.delete(key);
    await this.#outputs.release(this.#owner().unique_id, output_id, channel);
  }

  async #ask(demand: Demand, actuator: BoundActuator): Promise<string | null> {
    try {
      return await this.#command(demand, actuator);
    } catch (error) {
      this.#asked.delete(actuator.key);
      return messageOf(error);
    }
  }

  /** Throws RemoteFailure when the output is not running, and an Error that names the controller already driving it. */
  async #command({ pct, cause: why, once }: Demand, actuator: BoundActuator): Promise<string | null> {
    const { output_id, channel, key, name: actuatorName } = actuator;
    const { unique_id, name } = this.#owner();
    const owner = this.#outputs.drive(unique_id, output_id, channel);
    if (owner !== undefined) throw new Error(`output_driven: ${actuatorName} is driven by ${owner}`);
    if (this.#isSaid({ pct, code: why.code, once: once?.id }, actuator)) return null;
    const { because, reason } = explained(climateReason(why));
    const cause: Cause = { kind: 'climate', unique_id, name, because, reason };
    this.#asked.set(key, { actuator, pct, once: once?.id, cause, code: why.code, atMs: this.#clock.elapsed() });
    const wanted = { ...this.#wantedOf(pct, actuator), ...(once && { duration_s: once.for_s }) };
    const told = { source: 'automatic', actor: name, reason: because, cause } as const;
    const { outcome, message } = await this.#outputs.command({ output_id, channel, ...wanted, ...told }, 'standing');
    if (outcome === 'failed') this.#asked.delete(key);
    return outcome === 'failed' ? message : null;
  }

  /** A standing demand is not repeated, unless another command intervened or its own failed after its answer. */
  #isSaid(
    { pct, code, once }: Pick<Asked, 'pct' | 'code' | 'once'>,
    { key, output_id, channel }: BoundActuator,
  ): boolean {
    const last = this.#asked.get(key);
    if (once !== undefined) return last?.once === once; // each turn anew: a pump runs through several
    if (last === undefined || last.pct !== pct || last.code !== code) return false;
    if (this.#clock.elapsed() - last.atMs >= sayAgainMs) return false;
    return this.#outputs.automaticCauseOf({ output_id, channel }) === last.cause;
  }

  #wantedOf(pct: number | null, { output_id, channel }: BoundActuator): { state: boolean; duty_cycle_pct?: number } {
    const { kind, safe_state } = this.#outputs.channel(output_id, channel).settings;
    const value = pct ?? (typeof safe_state === 'number' ? safe_state : safe_state === 'on' ? 100 : 0);
    if (kind === 'switch') return { state: value > 0 };
    return value > 0 ? { state: true, duty_cycle_pct: Math.round(value * 10) / 10 } : { state: false };
  }
}
