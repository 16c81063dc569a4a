import type { OutputStateRow } from '../../../db/repositories/output-state.ts';
import type { OutputValue } from '../../drivers/driver.ts';
import type { Claim } from './priority-array.ts';
import type { ChannelDemand } from './channel-demand.ts';
import type { ChannelHost } from './channel-host.ts';
import { fromRow, isOverride, type Remembered } from './output-record.ts';

/**
 * `down`: not under control, before the start and after the shut-down. `held_back`: kept safe, what the last daemon
 * left must wait. `recalling`: comes back as soon as the state of the device is known. `settled`: nothing waits any
 * more.
 */
export type ChannelPhase = 'down' | 'held_back' | 'recalling' | 'settled';

export type ChannelTransition =
  | 'take_up'
  | 'take_up_safe'
  | 'take_up_held'
  | 'come_back'
  | 'learn_state'
  | 'forget'
  | 'shut_down';

type Target = ChannelPhase | ((isKnown: boolean) => ChannelPhase);

const byKnowledge: Target = (isKnown) => (isKnown ? 'settled' : 'recalling');

/** A missing cell means that the event changes nothing in that phase. */
const table: Readonly<Record<ChannelPhase, Partial<Record<ChannelTransition, Target>>>> = {
  down: { take_up: 'settled', take_up_safe: 'recalling', take_up_held: 'held_back' },
  held_back: { come_back: byKnowledge, shut_down: 'down' },
  recalling: { learn_state: 'settled', forget: 'settled', shut_down: 'down' },
  settled: { shut_down: 'down' },
};

/**
 * The phase after an event, undefined when the event changes nothing; `isKnown` is whether the device's state is known.
 */
export function nextPhase(phase: ChannelPhase, event: ChannelTransition, isKnown: boolean): ChannelPhase | undefined {
  const target = table[phase][event];
  return typeof target === 'function' ? target(isKnown) : target;
}

interface LifeParts {
  demand: ChannelDemand;
  host: Pick<ChannelHost, 'clock' | 'emergency'>;
  /** Called with an override that ran out while no daemon was running. */
  expired: (over: Claim[]) => void;
}

/** Whether a channel is under control, what it takes over from the last daemon and what it leaves to the next. */
export class ChannelLife {
  readonly #parts: LifeParts;
  #phase: ChannelPhase = 'down';
  /** What the last daemon left, until it is taken up. */
  #recalled: Remembered | undefined;
  /** The command that the last daemon kept, until its dropping is reported. */
  #forgotten: Claim | undefined;
  /** The claim that came back after a start: a device that is not connected yet does not end it. */
  #restored: Claim | undefined;
  #lastValue: OutputValue | null = null;
  /** Since the start there has been a command, or a decision that nothing comes back. */
  #isReplaced = false;

  constructor(parts: LifeParts) {
    this.#parts = parts;
  }

  get isInControl(): boolean {
    return this.#phase !== 'down';
  }

  begin(row: OutputStateRow | undefined, how: 'take_up' | 'take_up_safe' | 'take_up_held'): void {
    if (row !== undefined) this.#recalled = fromRow(row, this.#parts.host.clock);
    this.#forgotten = this.#recalled?.kept;
    if (this.#recalled) this.#parts.demand.onTime = this.#recalled.on_time;
    this.#lastValue = this.#recalled?.last_value ?? null;
    this.#pass(how);
  }

  /** Takes what the last daemon left when it is read late; false when a newer command means that nothing comes back. */
  recall(row: OutputStateRow, isKnown: boolean): boolean {
    if (this.#phase === 'down' || this.#isReplaced || this.#recalled !== undefined) return false;
    this.#recalled = fromRow(row, this.#parts.host.clock);
    this.#forgotten = this.#recalled.kept;
    if (this.#phase === 'settled' && isKnown) this.#resume();
    return true;
  }

  /** A new command: what the last daemon left must not come back late. */
  replace(): void {
    this.#isReplaced = true;
  }

  /** Stops holding back what the last daemon left; false when it was not held back. */
  comeBack(isKnown: boolean): boolean {
    return this.#pass('come_back', isKnown);
  }

  /** The device's state is known, with the value to restore at the next start if that changes it. */
  learnState(value?: OutputValue): void {
    if (value !== undefined) this.#lastValue = value;
    this.#pass('learn_state');
  }

  /** Nothing comes back, now or at the next start. */
  forget(): void {
    this.#isReplaced = true;
    this.#pass('forget');
    this.#recalled = undefined;
    this.#restored = undefined;
    this.#lastValue = null;
  }

  /** Its claim ended: the value must not come back at a start. */
  forgetLast(): void {
    this.#lastValue = null;
  }

  end(): void {
    this.#pass('shut_down');
  }

  isRestored(claim: Claim): boolean {
    return claim === this.#restored;
  }

  /** Takes the command that the last daemon kept, once. */
  takeForgotten(): Claim | undefined {
    const claim = this.#forgotten;
    this.#forgotten = undefined;
    return claim;
  }

  /** What to leave to the next daemon. */
  remembered(): Remembered {
    const { priorities, onTime } = this.#parts.demand;
    const manual = priorities.of('manual') ?? this.#recalled?.override;
    const waiting = [...priorities.snapshot().values()];
    return {
      on_time: onTime,
      last_value: this.#lastValue,
      override: isOverride(manual) ? manual : undefined,
      kept: waiting.find(({ kept }) => kept !== undefined && kept.untilMs !== null) ?? this.#forgotten,
    };
  }

  #pass(event: ChannelTransition, isKnown = true): boolean {
    const next = nextPhase(this.#phase, event, isKnown);
    if (next === undefined) return false;
    this.#phase = next;
    if (next === 'settled' && event !== 'forget') this.#resume();
    return true;
  }

  /** Restores the override that has not run out, else the startup state; a newer command wins over both. */
  #resume(): void {
    const { demand, host, expired } = this.#parts;
    const recalled = this.#recalled;
    this.#recalled = undefined;
    const isStopped = host.emergency.held !== null;
    if (recalled === undefined || isStopped || demand.priorities.effective() !== undefined) return;
    const { override, last_value: value } = recalled;
    if (isOverride(override)) {
      if (override.hold > host.clock.elapsed()) demand.priorities.submit(override);
      else expired([override]);
    } else if (demand.settings.startup_state === 'last' && value !== null) {
      demand.priorities.submit({ source: 'automatic', actor: 'startup', value, hold: 'next_command', ends_at: null });
    }
    this.#restored = demand.priorities.effective();
  }
}
