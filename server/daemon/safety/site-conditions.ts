import { deviceSays } from '../../contract/device-words.ts';
import type { LastValue } from '../../contract/measurement.ts';
import type { Clock } from '../clock.ts';
import type { Objection } from './gate.ts';
import type { PlanFacility, PlanSensor, SafetyPlan } from './plan.ts';
import { eyes, watches, type Watch } from './site-watches.ts';

/** One watch of one facility. */
interface Guard {
  watch: Watch;
  facility: PlanFacility;
  sensors: readonly PlanSensor[];
  isCrossed: boolean;
  /** Since when the reading is back within its limit, elapsed ms. */
  backSinceMs: number | null;
}

/** The sensors of one role that a controller of a channel needs. */
interface Eye {
  sensors: PlanSensor[];
  closes: boolean;
}

/** The silent sensors, and whether the channel has to close without them instead of going to its safe state. */
interface Blindness {
  name: string;
  closes: boolean;
}

interface Seen {
  value: number;
  atMs: number;
}

interface ConditionsOptions {
  clock: Clock;
  /** Called when something must be closed, or may open again. */
  changed: () => void;
}

/** How long a reading that no watch uses is kept: long enough for two of an hourly sensor. */
const forgetMs = 2 * 3_600_000;

const keyOf = (id: string, part: string | number): string => `${id}/${part}`;

/** What the readings of facilities mean for their actuators: what must be closed, and which controllers are blind. */
export class SiteConditions {
  readonly #options: ConditionsOptions;
  readonly #seen = new Map<string, Seen>();
  #guards: Guard[] = [];
  #guardsOfSensor = new Map<string, Guard[]>();
  #guardsOfChannel = new Map<string, Guard[]>();
  #eyesOfChannel = new Map<string, Eye[]>();
  #limits: SafetyPlan['limits'] | undefined;
  #blind = '';
  /** A sensor may take as long for its first reading as for any other. */
  readonly #startedAt: number;

  constructor(options: ConditionsOptions) {
    this.#options = options;
    this.#startedAt = options.clock.elapsed();
  }

  /**
   * Applies changed settings and bindings. What is closed stays so until a new reading, except that after a change of
   * the limit itself the latest reading decides, as the waiting time is meant for gusts.
   */
  plan({ limits, facilities }: SafetyPlan): void {
    const before = new Map(this.#guards.map((guard) => [guardKey(guard), guard]));
    const former = this.#limits;
    this.#limits = limits;
    this.#guards = facilities.flatMap((facility) =>
      watches.map((watch): Guard => {
        const sensors = facility.sensors.filter(({ role }) => role === watch.sensors);
        const known = before.get(guardKey({ facility, watch }));
        const isWatched = sensors.length > 0 && limits[watch.limit] !== null;
        return {
          watch,
          facility,
          sensors,
          isCrossed: isWatched && known?.isCrossed === true,
          backSinceMs: known?.backSinceMs ?? null,
        };
      }),
    );
    this.#index(facilities);
    this.#forget();
    for (const guard of this.#guards) {
      const { limit } = guard.watch;
      if (former !== undefined && former[limit] !== limits[limit] && this.#isBeyond(guard) === false) {
        guard.isCrossed = false;
      }
      this.#weigh(guard);
    }
    this.#options.changed();
  }

  /** Takes a reading; only good ones count. */
  take({ device_id, measurement_id, value, quality }: LastValue): void {
    if (value === null || quality !== 'good') return;
    const key = keyOf(device_id, measurement_id);
    // Kept even if no watch uses it yet: the sensor may be bound before its next reading.
    this.#seen.set(key, { value, atMs: this.#options.clock.elapsed() });
    const changed = (this.#guardsOfSensor.get(key) ?? []).filter((guard) => this.#weigh(guard));
    if (changed.length > 0) this.#options.changed();
  }

  /** Lets time pass: sensors fall silent, and crossings end that have been over for long enough. */
  tick(): void {
    const changed = this.#guards.filter((guard) => guard.isCrossed && this.#weigh(guard));
    const blind = [...this.#eyesOfChannel.keys()].filter((key) => this.#blindnessOf(key) !== undefined).join();
    if (changed.length === 0 && blind === this.#blind) return;
    this.#blind = blind;
    this.#options.changed();
  }

  /** Why a channel must be off or closed; undefined when it need not be. */
  closing(output_id: string, channel: number): Pick<Objection, 'rule' | 'message' | 'held_by'> | undefined {
    const guards = this.#guardsOfChannel.get(keyOf(output_id, channel)) ?? [];
    const crossed = guards.find(({ isCrossed }) => isCrossed);
    const limit = crossed && this.#limits?.[crossed.watch.limit];
    if (crossed === undefined || limit === null || limit === undefined) return undefined;
    const { rule, side, what, unit } = crossed.watch;
    const message = deviceSays(`${side}_limit`, { said: deviceSays(what), limit, unit });
    return { rule, message, held_by: { limit, unit } };
  }

  /**
   * Names of the sensors that a controller of the channel needs and that have been silent for too long; undefined when
   * there are none.
   */
  blindness(output_id: string, channel: number): Blindness | undefined {
    return this.#blindnessOf(keyOf(output_id, channel));
  }

  #blindnessOf(key: string): Blindness | undefined {
    const eyesOfIt = this.#eyesOfChannel.get(key) ?? [];
    const blind = eyesOfIt.filter(({ sensors }) => sensors.every((one) => this.#freshOf(one) === null));
    // In unknown wind a vent is closed, whatever else is unknown.
    const worst = blind.find(({ closes }) => closes) ?? blind[0];
    return worst && { name: worst.sensors.map(({ name }) => name).join(', '), closes: worst.closes };
  }

  #index(facilities: readonly PlanFacility[]): void {
    this.#guardsOfSensor = new Map();
    this.#guardsOfChannel = new Map();
    this.#eyesOfChannel = new Map();
    for (const guard of this.#guards) {
      for (const one of guard.sensors) add(this.#guardsOfSensor, keyOf(one.device_id, one.measurement_id), guard);
      for (const one of guard.facility.actuators) {
        if (guard.watch.actuators.includes(one.role))
          add(this.#guardsOfChannel, keyOf(one.output_id, one.channel), guard);
      }
    }
    for (const { sensors, actuators } of facilities) {
      for (const eye of eyes) {
        const seeing = sensors.filter(({ role }) => role === eye.sensors);
        if (seeing.length === 0) continue;
        for (const one of actuators) {
          if (!eye.actuators.includes(one.role)) continue;
          const closes = eye.closes === true;
          add(this.#eyesOfChannel, keyOf(one.output_id, one.channel), { sensors: seeing, closes });
        }
      }
    }
  }

  /** Forgets the readings of sensors that are unbound and silent. */
  #forget(): void {
    const oldest = this.#options.clock.elapsed() - forgetMs;
    for (const [key, { atMs }] of this.#seen) {
      if (atMs < oldest && !this.#guardsOfSensor.has(key)) this.#seen.delete(key);
    }
  }

  #freshOf(sensor: PlanSensor): number | null {
    const nowMs = this.#options.clock.elapsed();
    const seen = this.#seen.get(keyOf(sensor.device_id, sensor.measurement_id));
    const isFresh = nowMs - (seen?.atMs ?? this.#startedAt) <= sensor.stale_after_s * 1000;
    return isFresh ? (seen?.value ?? NaN) : null;
  }

  /** True when the crossing began or ended. If the sensor fell silent during a crossing, the channel stays closed. */
  #weigh(guard: Guard): boolean {
    const before = guard.isCrossed;
    const isBeyond = this.#isBeyond(guard);
    if (isBeyond === undefined) return false;
    if (isBeyond) {
      guard.backSinceMs = null;
      guard.isCrossed = true;
    } else if (before) {
      const nowMs = this.#options.clock.elapsed();
      if (this.#isBeyond(guard, guard.watch.back) === true) guard.backSinceMs = null;
      else guard.backSinceMs ??= nowMs;
      if (guard.backSinceMs !== null && nowMs - guard.backSinceMs >= guard.watch.release_s * 1000)
        guard.isCrossed = false;
    }
    return before !== guard.isCrossed;
  }

  /** Whether the reading is beyond its limit, as adjusted by `bound`; undefined without a limit or reading. */
  #isBeyond(guard: Guard, bound = (limit: number): number => limit): boolean | undefined {
    const limit = this.#limits?.[guard.watch.limit] ?? null;
    const value = limit === null ? null : this.#valueOf(guard);
    if (limit === null || value === null) return undefined;
    return guard.watch.side === 'above' ? value > bound(limit) : value < bound(limit);
  }

  #valueOf({ sensors, watch }: Guard): number | null {
    const fresh = sensors.flatMap((sensor) => {
      const value = this.#freshOf(sensor);
      return value === null || Number.isNaN(value) ? [] : [{ value, weight: sensor.weight }];
    });
    if (fresh.length === 0) return null;
    if (watch.of === 'worst') return Math.max(...fresh.map(({ value }) => value));
    const total = fresh.reduce((sum, { weight }) => sum + weight, 0);
    return fresh.reduce((sum, { value, weight }) => sum + value * weight, 0) / total;
  }
}

function guardKey({ facility, watch }: Pick<Guard, 'facility' | 'watch'>): string {
  return keyOf(facility.unique_id, watch.rule);
}

function add<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  map.set(key, [...(map.get(key) ?? []), value]);
}
