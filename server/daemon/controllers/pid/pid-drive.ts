import type { Cause } from '../../../contract/cause.ts';
import type { OutputCommand } from '../../../contract/daemon.ts';
import { drivenSides, type Pid, type PidOutput } from '../../../contract/pid.ts';
import type { Demand } from '../../../domain/control/pid-demand.ts';
import type { Outputs } from '../output/outputs.ts';

/** Sources that rank above a controller: its demand waits. */
const stronger: ReadonlySet<string> = new Set(['emergency_stop', 'safety', 'manual', 'commissioning']);

/**
 * A pulse of a whole period lasts this much longer, s, so that the relay does not click off when the next step is a
 * moment late.
 */
const overlap_s = 1;

interface Channel extends PidOutput {
  channel: number;
  side: 'raise' | 'lower';
}

/** The outputs of one PID: claims them, commands them, drives them safe. */
export class PidDrive {
  readonly #id: string;
  readonly #outputs: Outputs;
  #channels: readonly Channel[] = [];
  #period_s = Infinity;

  constructor(id: string, outputs: Outputs) {
    this.#id = id;
    this.#outputs = outputs;
  }

  get isDriving(): boolean {
    return this.#channels.length > 0;
  }

  /**
   * Drives these from now on. Throws RemoteFailure when one is not running, and an Error that names the present driver
   * of one.
   */
  claim(settings: Pid): void {
    const channels = drivenSides(settings).flatMap((side): Channel[] => {
      const output = settings[side];
      if (output === null) return [];
      return [{ ...output, side, channel: this.#outputs.channel(output.output_id, output.channel).settings.channel }];
    });
    for (const { output_id, channel } of channels) {
      const owner = this.#outputs.drive(this.#id, output_id, channel);
      if (owner === undefined) continue;
      void this.#outputs.letGo(this.#id);
      throw new Error(`output_driven: ${output_id} is driven by ${owner}`);
    }
    this.#channels = channels;
    this.#period_s = settings.period_s;
  }

  /** Drives them safe and gives them up to others. */
  async letGo(): Promise<void> {
    this.#channels = [];
    await this.#outputs.letGo(this.#id);
  }

  /** Drives them safe and keeps them. */
  async makeSafe(actor: string): Promise<void> {
    await this.#outputs.driveSafe(this.#id, actor);
  }

  /** Whether a stronger source holds one of them now. */
  isOverruled(): boolean {
    return this.#channels.some((ref) => stronger.has(this.#outputs.stateOf(ref)?.source ?? ''));
  }

  /**
   * Commands the outputs that control calls for. Returns the failure, null when there was none: whatever is held back
   * takes effect later or with the next step.
   */
  async ask(demand: Demand, cause: Cause): Promise<string | null> {
    const asked = this.#channels.map((channel) => this.#ask(channel, demand[channel.side] ?? 0, cause));
    const answers = await Promise.all(asked);
    const failed = answers.find(({ outcome }) => outcome === 'failed');
    return failed?.message ?? null;
  }

  #ask({ output_id, channel, kind, min_off_s }: Channel, amount: number, cause: Cause) {
    const base = { output_id, channel, source: 'automatic', actor: cause.name, reason: cause.because, cause } as const;
    const isOn = amount > 0;
    const isWhole = kind === 'duration' && amount >= this.#period_s;
    const asked = amountOf[kind](isWhole ? amount + overlap_s : amount);
    const request: OutputCommand = { ...base, state: isOn, ...(isOn && { ...asked, min_off_s }) };
    // A pulse that waits would fall into another period: the next step commands anew.
    const isPulse = kind === 'duration' || kind === 'volume';
    return this.#outputs.command(request, isPulse ? undefined : 'standing');
  }
}

const amountOf = {
  duration: (duration_s: number) => ({ duration_s }),
  pwm: (duty_cycle_pct: number) => ({ duty_cycle_pct }),
  value: (value: number) => ({ value }),
  volume: (volume_ml: number) => ({ volume_ml }),
};
