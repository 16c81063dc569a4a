import {
  conditionOf,
  type Alarm,
  type AlarmCode,
  type AlarmCondition,
  type AlarmEntry,
  type AlarmState,
  type AlarmTransition,
} from '../../contract/alarm.ts';
import type { AlarmChange } from '../../db/repositories/alarm.ts';
import type { Clock, Timer } from '../clock.ts';
import type { EventRing } from '../events/events.ts';
import { RemoteFailure } from '../../contract/remote/failure.ts';
import { alarmCauses, causeAmong, isCauseOf, type Need } from './alarm-causes.ts';
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
  /** What a source needs to work, by its present settings. */
  needs?: (sourceId: string) => readonly Need[];
  /** How long a source may take to notice that what it needs works again, s; default 0. */
  noticing_s?: (sourceId: string) => number;
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
  /** The same by their source. */
  readonly #bySource = new Map<string, Map<string, Alarm>>();
  /** When a consequence without its cause may speak, elapsed ms by its id. */
  readonly #speaksAtMs = new Map<string, number>();
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
      this.#put(alarm);
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

  /** It may become an alarm: what would be its consequence waits until it is raised or cleared. */
  suspect(condition: AlarmCondition): void {
    const id = alarmIdOf(condition);
    if (this.#alarms.get(id)?.is_raised === true || this.#delayed.has(id)) return;
    this.#delayed.set(id, { condition, isRaised: true, dueAtMs: Infinity });
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

  /** Ends the delays, silences and shelves that are over; for the timer and for tests. */
  tick(): void {
    for (const [id, { condition, isRaised, dueAtMs }] of this.#delayed) {
      if (!this.#isDue(condition, isRaised, dueAtMs)) continue;
      this.#delayed.delete(id);
      this.#settle(condition, isRaised);
    }
    for (const alarm of this.list()) if (alarm.state === 'suppressed') this.#reviewSilence(alarm);
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
    const waiting = this.#delayed.get(id);
    const delayMs = this.#delayMs(condition.code, isRaised);
    if (!isRaised && waiting?.isRaised === true && this.#delayMs(condition.code, true) === 0) {
      this.#delayed.delete(id);
      this.#settle(waiting.condition, true); // it waited only for its cause: it happened
    }
    if ((this.#alarms.get(id)?.is_raised ?? false) === isRaised) {
      this.#delayed.delete(id);
      if (isRaised) this.#update(id, condition);
      return;
    }
    const now = this.#options.clock.elapsed();
    const dueAtMs = Math.min(this.#delayed.get(id)?.dueAtMs ?? Infinity, now + delayMs);
    if (delayMs === 0 && this.#isDue(condition, isRaised, dueAtMs)) return this.#settle(condition, isRaised);
    this.#delayed.set(id, { condition, isRaised, dueAtMs });
  }

  #delayMs(code: AlarmCode, isRaised: boolean): number {
    const { on_delay_s, off_delay_s } = alarmDefinitions[code];
    return 1000 * (isRaised ? (this.#options.delays?.()[code] ?? on_delay_s) : off_delay_s);
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
    if (isRaised) this.#silence(alarm);
  }

  /** A condition whose cause is about to become an alarm waits for that. */
  #isDue(condition: AlarmCondition, isRaised: boolean, dueAtMs: number): boolean {
    if (this.#options.clock.elapsed() < dueAtMs) return false;
    if (!isRaised || alarmCauses[condition.code] === undefined) return true;
    const needs = this.#needsOf(condition.source_id);
    for (const one of this.#delayed.values()) {
      if (one.isRaised && isCauseOf(one.condition, condition, needs)) return false;
    }
    return true;
  }

  /**
   * Silences the consequences of a new alarm; one whose condition had already ended still waits for its
   * acknowledgement.
   */
  #silence(cause: Alarm): void {
    for (const other of this.list()) {
      const isSilent = !other.is_raised || nextState(other.state, 'suppress', factsOf(other)) === undefined;
      if (isSilent || alarmCauses[other.code] === undefined) continue;
      if (!isCauseOf(cause, other, this.#needsOf(other.source_id))) continue;
      this.#keep(this.#apply({ ...other, caused_by: cause.alarm_id }, 'suppress', {}));
    }
  }

  /**
   * A consequence whose cause is over is gone when it is over as well. If its source has had the time to notice that
   * all works again, its fault is its own: it speaks.
   */
  #reviewSilence(alarm: Alarm): void {
    const { clock, noticing_s } = this.#options;
    const cause = this.#causeOf(alarm);
    if (cause !== undefined) {
      this.#speaksAtMs.delete(alarm.alarm_id);
      if (cause.alarm_id !== alarm.caused_by) this.#tellAnew(alarm, { caused_by: cause.alarm_id });
      return;
    }
    const now = clock.elapsed();
    const speaksAtMs = this.#speaksAtMs.get(alarm.alarm_id) ?? now + (noticing_s?.(alarm.source_id) ?? 0) * 1000;
    this.#speaksAtMs.set(alarm.alarm_id, speaksAtMs);
    const isGoing = this.#delayed.get(alarm.alarm_id)?.isRaised === false;
    if (!alarm.is_raised || (now >= speaksAtMs && !isGoing)) this.#keep(this.#apply(alarm, 'unsuppress', {}));
  }

  /** The raised alarm of which this one is the consequence. */
  #causeOf(condition: AlarmCondition): Alarm | undefined {
    if (alarmCauses[condition.code] === undefined) return undefined;
    const raisedOf = (id: string) => [...(this.#bySource.get(id)?.values() ?? [])].filter((one) => one.is_raised);
    return causeAmong(condition, this.#needsOf(condition.source_id), raisedOf);
  }

  #needsOf(sourceId: string): readonly Need[] {
    return this.#options.needs?.(sourceId) ?? [];
  }

  #newAlarm(alarm_id: string, condition: AlarmCondition): Alarm {
    const now = this.#now();
    const others = [...(this.#bySource.get(condition.source_id)?.values() ?? [])];
    const isAlone = others.every(({ state }) => silenced.has(state));
    return {
      ...condition,
      alarm_id,
      state: 'normal',
      is_raised: false,
      caused_by: null,
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
    this.#put(after);
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
    const cause = speaksUp ? this.#causeOf(alarm) : undefined;
    const state = cause === undefined ? next : 'suppressed';
    const at = this.#now();
    const isAcknowledged = transition === 'acknowledge';
    const isNewlyRaised = state === 'unacknowledged' && alarm.state !== state;
    const after: Alarm = {
      ...alarm,
      state,
      changed_at: at,
      caused_by: state === 'suppressed' ? (cause?.alarm_id ?? alarm.caused_by) : null,
      shelved_until: state === 'shelved' ? this.#shelvedUntil(alarm, deed) : null,
      ...(isNewlyRaised && { acknowledged_by: null, acknowledged_at: null }),
      ...(isAcknowledged && { acknowledged_by: deed.actor ?? null, acknowledged_at: at }),
    };
    if (state !== 'shelved') this.#shelves.end(alarm.alarm_id);
    if (state !== 'suppressed') this.#speaksAtMs.delete(alarm.alarm_id);
    this.#put(after);
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

  /** A normal one is no longer kept. */
  #put(alarm: Alarm): void {
    const { alarm_id, source_id, state } = alarm;
    const ofSource = this.#bySource.get(source_id) ?? new Map<string, Alarm>();
    if (state === 'normal') {
      this.#alarms.delete(alarm_id);
      ofSource.delete(alarm_id);
    } else {
      this.#alarms.set(alarm_id, alarm);
      ofSource.set(alarm_id, alarm);
    }
    if (ofSource.size > 0) this.#bySource.set(source_id, ofSource);
    else this.#bySource.delete(source_id);
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
