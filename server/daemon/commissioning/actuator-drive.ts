import { deviceSays } from '../../contract/device-words.ts';
import type { ActuatorBinding } from '../../contract/facility.ts';
import type { UnderTest } from '../../db/repositories/commissioning.ts';
import type { Switch } from '../../domain/commissioning/switching.ts';
import type { Clock } from '../clock.ts';
import type { ControlledChannel } from '../controllers/output/output-channel.ts';
import type { Outputs } from '../controllers/output/outputs.ts';
import type { OutputValue } from '../drivers/driver.ts';
import { resultOfError, type Result } from '../drivers/outcomes.ts';
import { positionPct } from '../drivers/output-value.ts';
import { bringBack, formerState } from './former-state.ts';

export interface DriveHost {
  clock: Clock;
  outputs: Outputs;
  actor: string;
  /** Stores what is driven, before it is driven and after it was brought back; false when that failed. */
  keep: (under: UnderTest, isDriven: boolean) => Promise<boolean>;
  log: (line: string) => void;
}

interface Command {
  isOn: boolean;
  /** How far a dimmer is opened, %. */
  drive_pct: number;
  /** It switches off by itself after this time, in case this process hangs, s. */
  atMost_s: number;
}

const longestRestore_s = 20;

/** The switching of one trial: on disk before the first command, and brought back to the channel's former state. */
export class ActuatorDrive {
  readonly #binding: ActuatorBinding;
  readonly #host: DriveHost;
  readonly #switches: Switch[] = [];
  #under: UnderTest | undefined;
  #isDimmer = false;
  #told: boolean | undefined;
  #isUnderWay = false;
  #answer: Result | undefined;
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

  /** The last command; true before the first. */
  get isOn(): boolean {
    return this.#told ?? true;
  }

  /** The last answer of the device; undefined before the first. */
  get answer(): Result | undefined {
    return this.#answer;
  }

  /** When it was first driven, elapsed s; null before. */
  get drivenAt_s(): number | null {
    return this.#drivenAt_s;
  }

  get restoredAt_s(): number | null {
    return this.#restoredAt_s;
  }

  /** The channel's state before the first command, of a dimmer in %; undefined until then. */
  get former(): OutputValue | undefined {
    const { former } = this.#under ?? {};
    return former !== undefined && this.#isDimmer ? positionPct(former) : former;
  }

  /** How far it was open or on since the check began, as the device confirmed it. */
  get switches(): readonly Switch[] {
    return this.#switches;
  }

  /** The longest uninterrupted time that it was on, s. */
  get longestOn_s(): number {
    const spans = this.#switches.map(({ time_s, level }, index) =>
      level > 0 && Number.isFinite(time_s) ? (this.#switches[index + 1]?.time_s ?? this.#now_s) - time_s : 0,
    );
    return Math.max(0, ...spans);
  }

  /** Switches it unless it is there or on its way. Throws RemoteFailure when the output is gone. */
  switchTo(command: Command): void {
    if (this.#told === command.isOn || this.#isUnderWay || this.#isTakenBack) return;
    const channel = this.channel;
    if (this.#under === undefined) {
      this.#under = formerState(this.#binding.device_id, channel);
      this.#isDimmer = channel.settings.kind === 'dimmer';
      const level = Math.min(100, positionPct(this.#under.former)) / 100;
      this.#switches.push({ time_s: -Infinity, level });
      if (!command.isOn && level === 0) {
        this.#told = false;
        this.#under = undefined;
        this.#switches.pop();
        return;
      }
    }
    this.#told = command.isOn;
    this.#isUnderWay = true;
    void this.#give(command, channel, this.#under)
      .catch((error: unknown) => {
        this.#answer = resultOfError(error);
      })
      .finally(() => {
        this.#isUnderWay = false;
      });
  }

  /**
   * Brings the channel back; false when the device did not confirm it in time. A later `switchTo` resumes the trial.
   */
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
    this.#switches.push({ time_s: this.#now_s, level: Math.min(100, positionPct(under.former)) / 100 });
    await keep(under, false);
    return isBack;
  }

  async #give({ isOn, drive_pct, atMost_s }: Command, channel: ControlledChannel, under: UnderTest): Promise<void> {
    if (this.#drivenAt_s === null) {
      const isKept = await this.#host.keep(under, true);
      if (this.#isTakenBack) return;
      this.#drivenAt_s = this.#now_s;
      // What could not be brought back after a crash is not driven.
      if (!isKept) {
        this.#answer = { outcome: 'blocked', message: deviceSays('former_state_not_kept') };
        return;
      }
    }
    const fullyOn: OutputValue = channel.settings.kind === 'dimmer' ? drive_pct : 'on';
    this.#answer = await channel.command({
      source: 'commissioning',
      actor: this.#host.actor,
      hold: 'released',
      reason: 'commissioning',
      value: isOn ? fullyOn : 'off',
      ...(isOn && { duration_s: atMost_s }),
    });
    const level = isOn ? (channel.settings.kind === 'dimmer' ? drive_pct / 100 : 1) : 0;
    if (this.#answer.outcome !== 'blocked') this.#switches.push({ time_s: this.#now_s, level });
  }

  get #now_s(): number {
    return this.#host.clock.elapsed() / 1000;
  }
}
