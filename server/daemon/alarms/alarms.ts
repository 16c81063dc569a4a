import {
  conditionOf,
  type Alarm,
  type AlarmCode,
  type AlarmCondition,
  type AlarmEntry,
  type AlarmState,
  type AlarmTransition,
} from '../../contract/alarm.ts';
import { isCauseOf } from '../../contract/alarm-cause.ts';
import type { AlarmChange } from '../../db/repositories/alarm.ts';
import type { Clock, Timer } from '../clock.ts';
import type { EventRing } from '../events/events.ts';
import { RemoteFailure } from '../../contract/remote/failure.ts';
import { alarmDefinitions } from './alarm-definitions.ts';
import { alarmIdOf, type AlarmKey } from './alarm-key.ts';
import { nextState } from './alarm-states.ts';
import { ShelfTimes } from './shelf-times.ts';

/** All that a source of alarms needs. Neither call waits or throws. */
export interface AlarmPort {
  raise(condition: AlarmCondition): void;
  clear(key: AlarmKey): void;
}

export interface AlarmsOptions {
  clock: Clock;
  events: Pick<EventRing, 'push'>;
  store: { saveAlarms(change: AlarmChange): Promise<void> };
  /** Delays that the site has set, s. */
  delays?: () => Partial<Record<AlarmCode, number>>;
  log: (line: string) => void;
}

/** Who changes an alarm and why; both are absent when it changes by itself. */
interface Deed {
  actor?: string | null;
  note?: string | null;
  /** How long it is shelved. */
  shelved_s?: number;
}

/** A changed condition that waits for its delay; due in elapsed ms. */
interface Delayed {
  condition: AlarmCondition;
  isRaised: boolean;
  dueAtMs: number;
}

const tickMs = 1_000;
/** Facts whose change is published while an alarm is raised. */
const told = ['severity', 'limit', 'message'] as const satisfies (keyof AlarmCondition)[];
const silenced: ReadonlySet<AlarmState> = new Set(['normal', 'suppressed', 'shelved', 'out_of_service']);

/** Every alarm of the site that is not normal, with its ISA-18.2 state. */
export class Alarms implements AlarmPort {
  readonly #options: AlarmsOptions;
  readonly #alarms = new Map<string, Alarm>();
  readonly #delayed = new Map<string, Delayed>();
  readonly #shelves: ShelfTimes;
  #timer: Timer | undefined;

  constructor(options: AlarmsOptions) {
    this.#options = options;
    this.#shelves = new ShelfTimes(options.clock);
  }

  /** Takes over the alarms that the last daemon left, and lets time pass. */
  start(left: readonly Alarm[]): void {
    for (const alarm of left) {
      this.#alarms.set(alarm.alarm_id, alarm);
      this.#shelves.takeOver(alarm);
    }
    this.#arm();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  list(): Alarm[] {
    return [...this.#alarms.values()];
  }

  raise(condition: AlarmCondition): void {
    this.#observe(condition, true);
  }

  clear(key: AlarmKey): void {
    const id = alarmIdOf(key);
    const known = this.#alarms.get(id) ?? this.#delayed.get(id)?.condition;
    if (known !== undefined) this.#observe(conditionOf(known), false);
  }

  /**
   * Reports all conditions of one source at present: raises these and clears the source's other conditions that are the
   * reporter's own.
   */
  report(
    sourceId: string,
    conditions: readonly AlarmCondition[],
    isOwn: (condition: AlarmCondition) => boolean = () => true,
  ): void {
    const named = new Set(conditions.map(alarmIdOf));
    this.clearWhere((known) => known.source_id === sourceId && isOwn(known) && !named.has(alarmIdOf(known)));
    for (const condition of conditions) this.raise(condition);
  }

  /** Clears all alarms whose condition matches. */
  clearWhere(isOne: (condition: AlarmCondition) => boolean): void {
    const waiting = [...this.#delayed.values()].map(({ condition }) => condition);
    for (const known of [...this.#alarms.values(), ...waiting]) if (isOne(known)) this.clear(known);
  }

  /**
   * This and the other commands of a person resolve once it is on disk. They throw RemoteFailure `not_found`,
   * `conflict`.
   */
  acknowledge(id: string, deed: Deed): Promise<Alarm> {
    return this.#command(id, 'acknowledge', deed);
  }

  shelve(id: string, shelved_s: number, deed: Deed): Promise<Alarm> {
    return this.#command(id, 'shelve', { ...deed, shelved_s });
  }

  unshelve(id: string, deed: Deed): Promise<Alarm> {
    return this.#command(id, 'unshelve', deed);
  }

  removeFromService(id: string, deed: Deed): Promise<Alarm> {
    return this.#command(id, 'remove_from_service', deed);
  }

  returnToService(id: string, deed: Deed): Promise<Alarm> {
    return this.#command(id, 'return_to_service', deed);
  }

  /** Ends the delays and shelves that are over; for the timer and for tests. */
  tick(): void {
    const { clock } = this.#options;
    for (const [id, { condition, isRaised, dueAtMs }] of this.#delayed) {
      if (clock.elapsed() < dueAtMs) continue;
      this.#delayed.delete(id);
      this.#settle(condition, isRaised);
    }
    for (const alarm of this.list()) {
      if (this.#shelves.isOver(alarm.alarm_id)) this.#keep(this.#apply(alarm, 'unshelve', {}));
      else this.#tellAnew(alarm, this.#shelves.corrected(alarm));
    }
  }

  #arm(): void {
    this.#timer = this.#options.clock.after(tickMs, () => {
      this.#arm();
      this.tick();
    });
  }

  /** A change waits for its delay; one that is reversed in time never happened. */
  #observe(condition: AlarmCondition, isRaised: boolean): void {
    const id = alarmIdOf(condition);
    if ((this.#alarms.get(id)?.is_raised ?? false) === isRaised) {
      this.#delayed.delete(id);
      if (isRaised) this.#update(id, condition);
      return;
    }
    const { on_delay_s, off_delay_s } = alarmDefinitions[condition.code];
    const delay_s = isRaised ? (this.#options.delays?.()[condition.code] ?? on_delay_s) : off_delay_s;
    const delayMs = delay_s * 1000;
    if (delayMs === 0) return this.#settle(condition, isRaised);
    const dueAtMs = this.#delayed.get(id)?.dueAtMs ?? this.#options.clock.elapsed() + delayMs;
    this.#delayed.set(id, { condition, isRaised, dueAtMs });
  }

  #settle(condition: AlarmCondition, isRaised: boolean): void {
    const id = alarmIdOf(condition);
    const known = this.#alarms.get(id);
    const before = known ?? this.#newAlarm(id, condition);
    const now = this.#now();
    const alarm: Alarm = isRaised
      ? {
          ...before,
          ...condition,
          is_raised: true,
          raised_at: now,
          occurrences: before.occurrences + Number(known !== undefined),
        }
      : { ...before, is_raised: false };
    this.#keep(this.#apply(alarm, isRaised ? 'raise' : 'clear', {}));
    if (isRaised) this.#silence(condition);
    else this.#letSpeak(condition);
  }

  /**
   * Silences the consequences of a new alarm; one whose condition had already ended still waits for its
   * acknowledgement.
   */
  #silence(cause: AlarmCondition): void {
    for (const other of this.list()) {
      const isSilent = !other.is_raised || nextState(other.state, 'suppress', factsOf(other)) === undefined;
      if (!isSilent && isCauseOf(cause, other)) this.#keep(this.#apply(other, 'suppress', {}));
    }
  }

  /** Ends the silence of its consequences, except those about to clear as well. */
  #letSpeak(cause: AlarmCondition): void {
    for (const other of this.list()) {
      if (other.state !== 'suppressed' || !isCauseOf(cause, other) || this.#hasCause(other)) continue;
      const isGoing = this.#delayed.get(other.alarm_id)?.isRaised === false;
      if (isGoing) this.#delayed.delete(other.alarm_id);
      this.#keep(this.#apply({ ...other, is_raised: other.is_raised && !isGoing }, 'unsuppress', {}));
    }
  }

  /** Whether an alarm is raised of which this one is the consequence. */
  #hasCause(condition: AlarmCondition): boolean {
    return this.list().some((one) => one.is_raised && isCauseOf(one, condition));
  }

  #newAlarm(alarm_id: string, condition: AlarmCondition): Alarm {
    const now = this.#now();
    const isAlone = this.list().every(
      ({ source_id, state }) => source_id !== condition.source_id || silenced.has(state),
    );
    return {
      ...condition,
      alarm_id,
      state: 'normal',
      is_raised: false,
      is_first_out: isAlone,
      occurrences: 1,
      raised_at: now,
      changed_at: now,
      acknowledged_by: null,
      acknowledged_at: null,
      shelved_until: null,
    };
  }

  /**
   * Takes new facts of a raised condition, but not its value alone, which changes too often. No transition, and nothing
   * for the journal.
   */
  #update(id: string, condition: AlarmCondition): void {
    const alarm = this.#alarms.get(id);
    if (alarm === undefined || told.every((fact) => alarm[fact] === condition[fact])) return;
    this.#tellAnew(alarm, condition);
  }

  #tellAnew(alarm: Alarm, change: Partial<Alarm> | undefined): void {
    if (change === undefined) return;
    const after = { ...alarm, ...change };
    this.#alarms.set(alarm.alarm_id, after);
    this.#options.events.push({ kind: 'alarm', ...after });
    this.#keep({ kept: { alarms: [after], entries: [] } });
  }

  async #command(id: string, transition: AlarmTransition, deed: Deed): Promise<Alarm> {
    const alarm = this.#alarms.get(id);
    if (alarm === undefined) throw new RemoteFailure('not_found', `there is no alarm ${id}`);
    if (nextState(alarm.state, transition, factsOf(alarm)) === undefined) {
      throw new RemoteFailure('conflict', `an alarm that is ${alarm.state} takes no ${transition}`);
    }
    const change = this.#apply(alarm, transition, deed);
    await this.#options.store.saveAlarms(change.kept);
    return change.alarm;
  }

  /**
   * Changes the state if the table says so, and publishes it; beside its cause an alarm stays silent. Storing is up to
   * the caller.
   */
  #apply(alarm: Alarm, transition: AlarmTransition, deed: Deed): { alarm: Alarm; kept: AlarmChange } {
    const next = nextState(alarm.state, transition, factsOf(alarm)) ?? alarm.state;
    const speaksUp = next === 'unacknowledged' && alarm.state !== next;
    const state = speaksUp && this.#hasCause(alarm) ? 'suppressed' : next;
    const at = this.#now();
    const isAcknowledged = transition === 'acknowledge';
    const isNewlyRaised = state === 'unacknowledged' && alarm.state !== state;
    const after: Alarm = {
      ...alarm,
      state,
      changed_at: at,
      shelved_until: state === 'shelved' ? this.#shelvedUntil(alarm, deed) : null,
      ...(isNewlyRaised && { acknowledged_by: null, acknowledged_at: null }),
      ...(isAcknowledged && { acknowledged_by: deed.actor ?? null, acknowledged_at: at }),
    };
    if (state !== 'shelved') this.#shelves.end(alarm.alarm_id);
    if (state === 'normal') this.#alarms.delete(alarm.alarm_id);
    else this.#alarms.set(alarm.alarm_id, after);
    this.#options.events.push({ kind: 'alarm', ...after });
    const entry = entryOf(after, {
      at,
      transition,
      state_before: alarm.state,
      actor: deed.actor ?? null,
      note: deed.note ?? null,
    });
    return { alarm: after, kept: { alarms: [after], entries: [entry] } };
  }

  /** A newly shelved alarm comes back after the given time. */
  #shelvedUntil({ alarm_id, shelved_until }: Alarm, { shelved_s }: Deed): string | null {
    if (shelved_s === undefined) return shelved_until;
    this.#shelves.begin(alarm_id, shelved_s * 1000);
    return new Date(this.#options.clock.now() + shelved_s * 1000).toISOString();
  }

  #keep({ kept }: { kept: AlarmChange }): void {
    this.#options.store.saveAlarms(kept).catch((error: unknown) => {
      this.#options.log(`an alarm could not be written down: ${String(error)}`);
    });
  }

  #now(): string {
    return new Date(this.#options.clock.now()).toISOString();
  }
}

function factsOf({ code, is_raised }: Alarm): { is_raised: boolean; is_latching: boolean } {
  return { is_raised, is_latching: alarmDefinitions[code].is_latching };
}

type Turn = Pick<AlarmEntry, 'at' | 'transition' | 'state_before' | 'actor' | 'note'>;

function entryOf(alarm: Alarm, turn: Turn): Omit<AlarmEntry, 'ordinal'> {
  return { ...turn, alarm_id: alarm.alarm_id, state: alarm.state, ...conditionOf(alarm) };
}
