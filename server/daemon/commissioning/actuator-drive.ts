import type { ActuatorBinding } from '../../contract/facility.ts';
import type { UnderTest } from '../../db/repositories/commissioning.ts';
import type { Clock } from '../clock.ts';
import type { ControlledChannel } from '../controllers/output-channel.ts';
import type { Outputs } from '../controllers/outputs.ts';
import type { OutputValue } from '../drivers/driver.ts';
import { resultOfError, type Result } from '../outcomes.ts';
import { bringBack, formerState } from './former-state.ts';

export interface DriveHost {
  clock: Clock;
  outputs: Outputs;
  actor: string;
  /** Keeps on disk what is driven, before it is driven and after it was brought back; false where that failed. */
  keep: (under: UnderTest, isDriven: boolean) => Promise<boolean>;
  log: (line: string) => void;
}

interface Command {
  /** 1: turned on or opened; -1: turned off. */
  step: 1 | -1;
  /** How far a dimmer is opened, %. */
  drive_pct: number;
  /** How long it is watched at most, s. */
  window_s: number;
}

/** Beyond its window the drive ends by itself, should this process hang, s. */
const deadMan_s = 60;
const longestRestore_s = 20;

/** The one command of a trial: on disk before it is given, and taken back to what the channel was before. */
export class ActuatorDrive {
  readonly #binding: ActuatorBinding;
  readonly #host: DriveHost;
  #under: UnderTest | undefined;
  #feedback: Result | undefined;
  #drivenAt_s: number | null = null;
  #restoredAt_s: number | null = null;
  #isTakenBack = false;

  constructor(binding: ActuatorBinding, host: DriveHost) {
    this.#binding = binding;
    this.#host = host;
  }

  /** Throws RemoteFailure when the output is gone. */
  get channel(): ControlledChannel {
    return this.#host.outputs.channel(this.#binding.device_id, this.#binding.channel);
  }

  /** What the device answered; undefined before it did. */
  get feedback(): Result | undefined {
    return this.#feedback;
  }

  /** When the command was given and when it was taken back, elapsed s; null before. */
  get drivenAt_s(): number | null {
    return this.#drivenAt_s;
  }

  get restoredAt_s(): number | null {
    return this.#restoredAt_s;
  }

  /** What the channel was before the command; undefined before it. */
  get former(): string | undefined {
    return this.#under && String(this.#under.former);
  }

  /** Gives the command as soon as it is on disk. Throws RemoteFailure when the output is gone. */
  begin(command: Command): void {
    const channel = this.channel;
    const under = formerState(this.#binding.device_id, channel);
    this.#under = under;
    void this.#give(command, { channel, under }).catch((error: unknown) => {
      this.#feedback = resultOfError(error);
    });
  }

  /** Brings the channel back; false when the device did not confirm it in time. */
  async end(): Promise<boolean> {
    const under = this.#under;
    this.#isTakenBack = true;
    if (under === undefined) return true;
    const { outputs, clock, keep, log } = this.#host;
    let isBack = false;
    try {
      isBack = await Promise.race([
        bringBack(outputs, under),
        new Promise<false>((resolve) => void clock.after(longestRestore_s * 1000, () => resolve(false))),
      ]);
    } catch (error) {
      log(`commissioning could not bring ${this.#binding.name} back: ${String(error)}`);
    }
    this.#restoredAt_s = this.#now_s;
    await keep(under, false);
    return isBack;
  }

  async #give(command: Command, { channel, under }: { channel: ControlledChannel; under: UnderTest }): Promise<void> {
    const { step, drive_pct, window_s } = command;
    const isKept = await this.#host.keep(under, true);
    if (this.#isTakenBack) return;
    const fullyOn: OutputValue = channel.settings.kind === 'dimmer' ? drive_pct : 'on';
    this.#drivenAt_s = this.#now_s;
    // What nobody would bring back after a crash is not driven.
    if (!isKept) {
      this.#feedback = { outcome: 'blocked', message: 'its former state could not be kept on disk' };
      return;
    }
    this.#feedback = await channel.command({
      ...{ source: 'commissioning', actor: this.#host.actor, hold: 'released', reason: 'commissioning' },
      value: step > 0 ? fullyOn : 'off',
      ...(step > 0 && { duration_s: window_s + deadMan_s }),
    });
  }

  get #now_s(): number {
    return this.#host.clock.elapsed() / 1000;
  }
}
