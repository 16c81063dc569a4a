import { isDeepStrictEqual } from 'node:util';
import type { AuditSink } from '../../auth/actor.ts';
import { systemActor } from '../../auth/system-actor.ts';
import type { Alarm, AlarmCondition } from '../../contract/alarm.ts';
import type { Alert } from '../../contract/facility.ts';
import { messageOf } from '../../contract/message-of.ts';
import type { AlarmControl } from '../live/daemon-port.ts';
import type { FacilityName, FacilityRepository } from '../../db/repositories/facility.ts';
import { LastingFault } from '../live/lasting-fault.ts';
import type { LiveCache } from '../live/live.ts';

interface WatchOptions {
  facilities: Pick<FacilityRepository, 'names'>;
  runtime: { alerts(id: string): readonly Alert[] };
  daemon: Pick<AlarmControl, 'alarm_report'>;
  live: Pick<LiveCache, 'alarms' | 'daemonState' | 'subscribe'>;
  audit: AuditSink;
  log: { warn(message: string): void };
}

const periodMs = 2_000;

/** Alarms only known at facility level; the daemon raises the others itself, by device. */
const reported = [
  'sensor_disagree',
  'out_of_band',
  'wind',
  'rain',
  'frost',
  'over_temperature',
  'heater_and_vent',
] as const;

/**
 * Polls every facility and reports its alerts to the daemon, which raises alarms from them. Their start and end also go
 * to the audit.
 */
export class FacilityWatch {
  readonly #options: WatchOptions;
  /** The last report to the daemon, by facility. */
  readonly #told = new Map<string, AlarmCondition[]>();
  /** The alerts that are active according to the audit, by facility. */
  readonly #written = new Map<string, readonly AlarmCondition[]>();
  readonly #fault: LastingFault;
  #timer: NodeJS.Timeout | undefined;
  #unsubscribe: (() => void) | undefined;
  #looking: Promise<void> = Promise.resolve();

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#fault = new LastingFault(options.log);
  }

  start(): void {
    // A new daemon, or lost events: report everything again.
    this.#unsubscribe = this.#options.live.subscribe(({ kind }) => {
      if (kind === 'reset') this.#told.clear();
    });
    this.#arm();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#unsubscribe?.();
    await this.#looking;
  }

  /** Reports changes since the last poll. If the daemon is unreachable, the next poll reports them. */
  async look(): Promise<void> {
    const { facilities, live } = this.#options;
    if (live.daemonState !== 'up') return;
    try {
      const living = facilities.names();
      for (const facility of living) await this.#tell(facility.unique_id, this.#conditionsOf(facility));
      const ids = new Set(living.map(({ unique_id }) => unique_id));
      const raised = live
        .alarms()
        .flatMap((one) => (one.source_kind === 'facility' && one.is_raised ? [one.source_id] : []));
      for (const id of new Set([...raised, ...this.#told.keys()])) if (!ids.has(id)) await this.#tell(id, []);
      this.#fault.over();
    } catch (error) {
      this.#fault.say(`the daemon could not be told of alarms of facilities: ${messageOf(error)}`);
    }
  }

  #arm(): void {
    this.#timer = setTimeout(() => {
      this.#looking = this.look().then(() => {
        if (this.#timer !== undefined) this.#arm();
      });
    }, periodMs);
  }

  async #tell(id: string, conditions: AlarmCondition[]): Promise<void> {
    if (isDeepStrictEqual(this.#told.get(id), conditions)) return;
    // Read before reporting: the alarm may come back before the answer does, or without it.
    const before = this.#written.get(id) ?? this.#raisedOf(id);
    this.#written.set(id, before);
    await this.#options.daemon.alarm_report(id, conditions);
    this.#told.set(id, conditions);
    this.#writeDown(id, { before, conditions });
  }

  /** What was raised when the service started is already in the audit. */
  #raisedOf(id: string): Alarm[] {
    const isOfFacility = (one: Alarm): boolean =>
      one.source_kind === 'facility' &&
      one.source_id === id &&
      one.is_raised &&
      reported.some((code) => code === one.code);
    return this.#options.live.alarms().filter(isOfFacility);
  }

  #writeDown(id: string, { before, conditions }: Record<'before' | 'conditions', readonly AlarmCondition[]>): void {
    const { audit } = this.#options;
    const comes = conditions.filter((one) => !before.some((other) => isSame(one, other)));
    const goes = before.filter((one) => !conditions.some((other) => isSame(one, other)));
    const entry = { actor: systemActor, target: id };
    for (const one of comes) audit.record({ ...entry, kind: 'facility.alert', after: shown(one) });
    for (const one of goes) audit.record({ ...entry, kind: 'facility.alert_end', before: shown(one) });
    this.#written.set(id, conditions);
  }

  #conditionsOf({ unique_id, name }: FacilityName): AlarmCondition[] {
    return this.#options.runtime.alerts(unique_id).flatMap((alert): AlarmCondition[] => {
      const code = reported.find((one) => one === alert.code);
      if (code === undefined) return [];
      const { severity, role = null, value = null, limit = null, unit = null, name: about, detail } = alert;
      const source = { source_kind: 'facility', source_id: unique_id, source_name: name } as const;
      return [
        {
          ...source,
          code,
          severity,
          role,
          channel: null,
          value,
          limit,
          unit,
          name: about ?? null,
          message: detail ?? null,
        },
      ];
    });
  }
}

function isSame(one: AlarmCondition, other: AlarmCondition): boolean {
  return one.code === other.code && one.role === other.role && one.name === other.name;
}

function shown({ code, severity, source_name, role, name, value, limit, unit }: AlarmCondition) {
  return { code, severity, source_name, role, name, value, limit, unit };
}
