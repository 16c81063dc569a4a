import { isoOf } from '../../contract/time.ts';
import { createHash } from 'node:crypto';
import type { Now } from '../../auth/now.ts';
import type { AlarmLimits } from '../../contract/alarm-limits.ts';
import type {
  Alert,
  Facility,
  IntegrationResult,
  RuntimeResult,
  WindQuery,
  WindResult,
  WindRose,
  WindRoseQuery,
} from '../../contract/facility.ts';
import type { MeasuredDevice } from '../../contract/measured.ts';
import type { Output } from '../../contract/output.ts';
import type { ContentVersion } from '../../db/content-version.ts';
import type { MeasuredDevices } from '../../domain/control/measured-devices.ts';
import type { OutputRepository } from '../../db/repositories/output.ts';
import type { PlacementRepository } from '../../db/repositories/placement.ts';
import { smallestRectangle } from '../../domain/geometry/smallest-rectangle.ts';
import { windResult, windRose, type WindContext } from '../../domain/wind/wind-result.ts';
import { AlertOnsets } from './alert-onsets.ts';
import { findAlerts, inactiveAlerts, summarise } from './alerts.ts';
import { indoorClimate, outdoorClimate, type WeightedValue } from './climate.ts';
import { actuateNow, doubtOutliers, senseNow, type Actuated, type Sensed } from './readings.ts';
import { levelOf } from './level.ts';
import { limitAlerts } from './limits.ts';
import type { FacilityService } from './facility.ts';
import type { LiveCache } from '../live/live.ts';

interface RuntimeOptions {
  facilities: Pick<FacilityService, 'get'>;
  measured: Pick<MeasuredDevices, 'get'>;
  outputs: Pick<OutputRepository, 'get'>;
  placements: Pick<PlacementRepository, 'shape'>;
  live: LiveCache;
  /** Of orangery.db. */
  content: ContentVersion;
  clock: Now;
  /** Monotonic ms. */
  elapsed?: () => number;
  /** Of the site. */
  alarmLimits: () => AlarmLimits;
  /** Elevation of the site, m; undefined when unknown. */
  elevation_m: () => number | undefined;
}

/** A serialised answer, unchanged until something changes. */
export interface KeptAnswer {
  etag: string;
  json: Buffer;
}

interface Kept extends KeptAnswer {
  deviceIds: string[];
  alerts: readonly Alert[];
  stamp: number;
  content: string;
  /** When it expires without any change, elapsed ms. */
  untilMs: number;
}

interface Bound {
  sensors: Sensed[];
  actuators: Actuated[];
}

/** Stored rows, read once and kept while the file's content is the same: readings arrive far more often. */
interface Rows {
  content: string;
  facility: (id: string) => Facility;
  input: (id: string) => MeasuredDevice | undefined;
  output: (id: string) => Output | undefined;
  limits: AlarmLimits;
}

/** The present state of facilities: answered from the live cache, never by a call to the daemon. */
export class FacilityRuntime {
  readonly #options: Required<RuntimeOptions>;
  readonly #kept = new Map<string, Kept>();
  readonly #onsets = new AlertOnsets();
  #rows: Rows | undefined;

  constructor(options: RuntimeOptions) {
    this.#options = { elapsed: () => performance.now(), ...options };
  }

  /** Throws `not_found`. */
  integration(id: string): IntegrationResult {
    const rows = this.#rowsNow();
    const nowMs = this.#options.clock();
    const { sensors, actuators } = this.#bound(rows.facility(id), rows, nowMs);
    return {
      facility_uuid: id,
      at: isoOf(nowMs),
      sensors: sensors.map((one) => one.reading),
      actuators: actuators.map((one) => one.reading),
    };
  }

  /** The runtime result, serialised once per change. Throws `not_found`. */
  runtime(id: string): KeptAnswer {
    return this.#current(id);
  }

  /** The present alerts of a facility. Throws `not_found`. */
  alerts(id: string): readonly Alert[] {
    return this.#current(id).alerts;
  }

  #current(id: string): Kept {
    const { live, content, clock, elapsed } = this.#options;
    const kept = this.#kept.get(id);
    const isFresh =
      kept !== undefined &&
      kept.content === content() &&
      elapsed() < kept.untilMs &&
      kept.stamp === live.stamp(kept.deviceIds);
    return isFresh ? kept : this.#serialise(id, clock());
  }

  /** Throws `not_found`. */
  wind(id: string, query: WindQuery): WindResult {
    const rows = this.#rowsNow();
    const facility = rows.facility(id);
    return windResult(facility, query, this.#windContext(facility, rows));
  }

  /** Throws `not_found`. */
  windRose(id: string, query: WindRoseQuery): WindRose {
    const rows = this.#rowsNow();
    const facility = rows.facility(id);
    return windRose(facility, query, this.#windContext(facility, rows));
  }

  #windContext(facility: Facility, rows: Rows): WindContext {
    const good = goodValues(facility, this.#bound(facility, rows, this.#options.clock()).sensors);
    const axis_deg = this.#axisOf(facility);
    return {
      ...(axis_deg !== null && { axis_deg }),
      elevation_m: this.#options.elevation_m(),
      live: { indoor_c: indoorClimate(good).temp_c, outdoor_c: outdoorClimate(good).temp_c },
    };
  }

  #serialise(id: string, nowMs: number): Kept {
    const { live } = this.#options;
    this.#kept.delete(id);
    const rows = this.#rowsNow();
    const facility = rows.facility(id);
    const deviceIds = [...new Set([...facility.sensors, ...facility.actuators].map((binding) => binding.device_id))];
    // Taken before reading what it stamps: a change meanwhile then makes this answer old instead of going unnoticed.
    const stamp = live.stamp(deviceIds);
    const { result, leftMs } = this.#result(facility, rows, nowMs);
    const untilMs = this.#options.elapsed() + leftMs;
    const json = Buffer.from(JSON.stringify(result));
    const etag = `"${createHash('sha256').update(json).digest('base64url').slice(0, 27)}"`;
    const kept = { etag, json, alerts: result.alerts.items, deviceIds, untilMs, stamp, content: rows.content };
    this.#kept.set(id, kept);
    return kept;
  }

  /** The content's version is taken before anything is read, for the same reason. */
  #rowsNow(): Rows {
    const { facilities, measured, outputs, content, alarmLimits } = this.#options;
    const version = content();
    if (this.#rows?.content === version) return this.#rows;
    this.#rows = {
      content: version,
      facility: once((id) => facilities.get(id)),
      input: once((id) => measured.get(id)),
      output: once((id) => outputs.get(id)),
      limits: alarmLimits(),
    };
    return this.#rows;
  }

  #result(facility: Facility, rows: Rows, nowMs: number): { result: RuntimeResult; leftMs: number } {
    const { live } = this.#options;
    const { sensors, actuators } = this.#bound(facility, rows, nowMs);
    const good = goodValues(facility, sensors);
    const [indoor, outdoor] = [indoorClimate(good), outdoorClimate(good)];
    const crossed = limitAlerts({
      indoor,
      outdoor,
      sensors,
      limits: rows.limits,
      isRaised: (alert) => this.#onsets.has(facility.unique_id, alert),
    });
    const alerts = findAlerts({
      sensors,
      actuators,
      live,
      daemon: { state: live.daemonState, sinceMs: live.daemonSinceMs, endedBy: live.endedBy },
      emergency: live.emergency,
      boundAtMs: Date.parse(facility.updated_at),
      nowMs,
      polled: this.#onsets.since(facility.unique_id, [...crossed, ...inactiveAlerts(sensors, actuators)], nowMs),
    });
    const summary = summarise(alerts.items);
    const result = {
      facility_uuid: facility.unique_id,
      at: isoOf(nowMs),
      level: levelOf(summary.level, actuators),
      indoor,
      outdoor,
      sensors: sensors.map((one) => one.reading),
      actuators: actuators.map((one) => one.reading),
      alerts: summary,
    };
    const stale = sensors.flatMap(({ staleAtMs }) => (staleAtMs !== null && staleAtMs > nowMs ? [staleAtMs] : []));
    return { result, leftMs: Math.min(alerts.nextAtMs, ...stale) - nowMs };
  }

  #bound(facility: Facility, { input, output }: Rows, nowMs: number): Bound {
    const { live } = this.#options;
    return {
      sensors: doubtOutliers(
        facility.sensors.map((binding) => senseNow(binding, input(binding.device_id), { live, nowMs })),
      ),
      actuators: facility.actuators.map((binding) => actuateNow(binding, output(binding.device_id), live)),
    };
  }

  #axisOf(facility: Facility): number | null {
    const shape = this.#options.placements.shape(facility.shape_uuid);
    return (shape && smallestRectangle(shape.geometry)?.axis_deg) ?? null;
  }
}

function once<T>(read: (id: string) => T): (id: string) => T {
  const seen = new Map<string, T>();
  return (id) => {
    const known = seen.get(id);
    if (known !== undefined) return known;
    const value = read(id);
    seen.set(id, value);
    return value;
  };
}

function goodValues(facility: Facility, sensors: readonly Sensed[]): WeightedValue[] {
  return sensors.flatMap(({ reading }, index) => {
    if (reading.quality !== 'good' || reading.value === null) return [];
    return [
      { role: reading.role, value: reading.value, unit: reading.unit, weight: facility.sensors[index]?.weight ?? 1 },
    ];
  });
}
