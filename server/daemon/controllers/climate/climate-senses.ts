import type { ClimateHold } from '../../../contract/climate-live.ts';
import type { ClimateInfluence } from '../../../contract/climate-settings.ts';
import type { SensorRole } from '../../../contract/facility-binding.ts';
import type { OutputChannelState } from '../../../contract/output.ts';
import { sunOf } from '../../../domain/analytics/light-sum.ts';
import { meanWindDirection_deg } from '../../../domain/climate/air.ts';
import { findOutliers } from '../../../domain/climate/outliers.ts';
import type { ClimateReadings } from '../../../domain/climate-program/moment.ts';
import type { LiveValues } from '../../events/live-values.ts';
import type { PlanSensor } from '../../safety/plan.ts';
import type { BoundActuator } from './climate-house.ts';

/** An older flow reading does not belong to the valve that is open now, s. */
const flowMostAge_s = 60;

interface Seen {
  value: number;
  weight: number;
}

interface Sensing {
  sensors: readonly PlanSensor[];
  actuators: readonly BoundActuator[];
  influences: readonly ClimateInfluence[];
  live: Pick<LiveValues, 'last'>;
  stateOf: (actuator: BoundActuator) => OutputChannelState | undefined;
  now_ms: number;
}

/** The present readings of a house: means of the good, recent ones, without outliers. */
export function readingsOf({ sensors, actuators, influences, live, stateOf, now_ms }: Sensing): ClimateReadings {
  const substituted = new Set<SensorRole>();
  const seenOf = (role: SensorRole): Seen[] => {
    const { seen, isSubstituted } = seenBy(role, sensors, live);
    if (isSubstituted) substituted.add(role);
    return seen;
  };
  const mean = (role: SensorRole): number | null => meanOf(seenOf(role));
  const directions = seenOf('outdoor_wind_dir');
  const readings = {
    temp_c: mean('indoor_temp'),
    humidity_pct: mean('indoor_humidity'),
    co2_ppm: mean('indoor_co2'),
    temps_c: seenOf('indoor_temp').map(({ value }) => value),
    outdoor_c: mean('outdoor_temp'),
    outdoor_humidity_pct: mean('outdoor_humidity'),
    wind_m_s: mean('outdoor_wind'),
    radiation_w_m2: mean('outdoor_solar'),
    rain: mean('rain'),
    sky_w_m2: mean('outdoor_longwave'),
    wind_dir_deg: meanWindDirection_deg(
      directions.map(({ value, weight }) => ({ direction_deg: value, speed_m_s: weight })),
    ),
    measured: influences.map(({ measurement }) => {
      if (measurement === undefined) return null;
      const last = live.last(measurement.device_id, measurement.measurement_id, measurement.max_age_s);
      return last?.quality === 'good' ? last.value : null;
    }),
    moisture_pct: mean('soil_moisture'),
    drain_l_h: mean('drain_flow'),
    pipe_c: mean('pipe_temp'),
    ...flowsOf(actuators, live),
    held: new Map(
      actuators.flatMap((one): [string, ClimateHold][] => {
        const hold = holdOf(stateOf(one));
        return hold === null ? [] : [[one.key, hold]];
      }),
    ),
    stands_pct: Object.fromEntries(actuators.map((one) => [one.key, standsOf(stateOf(one))])),
    shut_s: Object.fromEntries(actuators.flatMap((one) => shutSince(one.key, stateOf(one), now_ms))),
  };
  return { ...readings, substituted: [...substituted] };
}

/** A role from its own sensors, or from its substitutes while none of these has a reading. */
function seenBy(
  role: SensorRole,
  sensors: readonly PlanSensor[],
  live: Sensing['live'],
): { seen: Seen[]; isSubstituted: boolean } {
  const [substitutes, own] = [true, false].map((is) => sensors.filter((one) => (one.is_substitute === true) === is));
  const seen = soundOf(role, own ?? [], live);
  if (seen.length > 0) return { seen, isSubstituted: false };
  const instead = soundOf(role, substitutes ?? [], live);
  return { seen: instead, isSubstituted: instead.length > 0 };
}

/** The flow of each actuator with a meter, null when that has no reading, and when it was read. */
function flowsOf(
  actuators: readonly BoundActuator[],
  live: Sensing['live'],
): Pick<ClimateReadings, 'flows_l_h' | 'flows_at_ms'> {
  const flows = actuators.flatMap(({ key, flow_meter }) => {
    if (flow_meter === undefined) return [];
    const last = live.last(flow_meter.device_id, flow_meter.measurement_id, flowMostAge_s);
    return [{ key, last: last?.quality === 'good' ? last : undefined }];
  });
  return {
    flows_l_h: Object.fromEntries(flows.map(({ key, last }) => [key, last?.value ?? null])),
    flows_at_ms: Object.fromEntries(
      flows.flatMap(({ key, last }) => (last === undefined ? [] : [[key, last.time_ms]])),
    ),
  };
}

/** A person or a check holds it, not a rule of safety. */
function holdOf(state: OutputChannelState | undefined): ClimateHold | null {
  if (state?.source === 'manual') return 'hand';
  return state?.source === 'commissioning' ? 'commissioning' : null;
}

function soundOf(role: SensorRole, sensors: readonly PlanSensor[], live: Sensing['live']): Seen[] {
  const seen = sensors.flatMap((sensor): Seen[] => {
    if (sensor.role !== role) return [];
    const last = live.last(sensor.device_id, sensor.measurement_id, sensor.stale_after_s);
    if (last === undefined || last.quality !== 'good' || last.value === null) return [];
    const share = role === 'outdoor_solar' ? sunOf(last.unit) : 1;
    return share === undefined ? [] : [{ value: last.value * share, weight: sensor.weight }];
  });
  const apart = findOutliers(
    role,
    seen.map(({ value }) => value),
  );
  return seen.filter((_, index) => apart[index] !== true);
}

function meanOf(seen: readonly Seen[]): number | null {
  const weight = seen.reduce((sum, one) => sum + one.weight, 0);
  return weight === 0 ? null : seen.reduce((sum, one) => sum + one.value * one.weight, 0) / weight;
}

function shutSince(key: string, state: OutputChannelState | undefined, nowMs: number): [string, number][] {
  const changed_at = state?.changed_at ?? null;
  if (changed_at === null || standsOf(state) !== 0) return [];
  return [[key, Math.max(0, (nowMs - Date.parse(changed_at)) / 1000)]];
}

function standsOf(state: OutputChannelState | undefined): number | null {
  const stands = state?.state;
  if (stands === undefined || stands === null) return null;
  return typeof stands === 'number' ? stands : stands === 'on' ? 100 : 0;
}
