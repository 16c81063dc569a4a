import type { ClimateSetpoint, ClimateSetpointsNow } from '../../contract/climate-live.ts';
import {
  setpointRanges,
  type ClimateInfluence,
  type ClimateProgram,
  type SetpointName,
  setpointNames,
} from '../../contract/climate-settings.ts';
import { epochOf } from '../../contract/time.ts';
import { type ClimateReadings, along, clamp, type Moment } from './moment.ts';
import type { ClimateState } from './state.ts';

/** Inputs of influences that are not readings. */
interface Remembered {
  temperature_mean: number | null;
  light_sum: number;
}

interface Shifting {
  influences: readonly ClimateInfluence[];
  readings: ClimateReadings;
  remembered: Remembered;
  dt_s: number;
}

/**
 * What tells influences apart when one is added or removed: each has its own shift, wherever it stands in the list. Of
 * those with the same setpoint and source, their order counts.
 */
export function influenceKeys(influences: readonly ClimateInfluence[]): string[] {
  const seen = new Map<string, number>();
  return influences.map(({ on, source, measurement }) => {
    const key = [on, source, measurement?.device_id, measurement?.measurement_id].filter(Boolean).join(' ');
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count === 1 ? key : `${key} ${count}`;
  });
}

/** The shift of each influence from what each was before; when its source is silent, the shift stays. */
export function shiftsOf(
  before: readonly (number | undefined)[],
  { influences, readings, remembered, dt_s }: Shifting,
): number[] {
  return influences.map((influence, index) => {
    const x = sourceOf(influence, index, { readings, remembered });
    const was = before[index];
    if (x === null) return was ?? 0;
    const { from_x, to_x, from_y, to_y, slew_per_h } = influence;
    const full = along(x, [from_x, from_y], [to_x, to_y]);
    if (slew_per_h === undefined || was === undefined) return full;
    const most = (slew_per_h * dt_s) / 3600;
    return clamp(full, was - most, was + most);
  });
}

function sourceOf(
  { source }: ClimateInfluence,
  index: number,
  { readings, remembered }: Pick<Shifting, 'readings' | 'remembered'>,
): number | null {
  switch (source) {
    case 'radiation':
      return readings.radiation_w_m2;
    case 'outdoor_temp':
      return readings.outdoor_c;
    case 'wind':
      return readings.wind_m_s;
    case 'humidity':
      return readings.humidity_pct;
    case 'measurement':
      return readings.measured[index] ?? null;
    case 'temperature_mean':
    case 'light_sum':
      return remembered[source];
  }
}

interface Adding {
  program: Pick<ClimateProgram, 'influences' | 'overrides'>;
  /** Decides whether overrides have ended. */
  now_ms: number;
  /** The setpoints of the period alone. */
  period: Readonly<Record<SetpointName, number | null>>;
  state: { shifts: readonly number[]; mean: ClimateState['mean'] };
}

/**
 * Each setpoint with its parts: period, influences, correction of the mean temperature, the user's override, and
 * bounds.
 */
export function setpointsOf(adding: Adding): ClimateSetpointsNow {
  const added = Object.fromEntries(setpointNames.map((name) => [name, sumOf(name, adding)])) as ClimateSetpointsNow; // of every name
  const [heating, ventilation] = [added.heating_c.value, added.ventilation_c.value];
  if (heating === null || ventilation === null || ventilation >= heating) return added;
  return { ...added, ventilation_c: bounded(added.ventilation_c, heating) };
}

function sumOf(name: SetpointName, { program, period, state, now_ms }: Adding): ClimateSetpoint {
  const base = period[name];
  const held = program.overrides.find(({ on, until }) => on === name && now_ms < epochOf(until));
  if (base === null && held === undefined) return { value: null, parts: [] };
  const influenced = program.influences.flatMap(({ on, source }, index) => {
    const value = state.shifts[index] ?? 0;
    return on === name && value !== 0 ? [{ what: 'influence' as const, source, value }] : [];
  });
  const isTemperature = name === 'heating_c' || name === 'ventilation_c';
  const { correction_k } = state.mean;
  const parts: ClimateSetpoint['parts'] = [
    ...(base === null ? [] : [{ what: 'period' as const, source: null, value: base }]),
    ...influenced,
    ...(isTemperature && correction_k !== 0
      ? [{ what: 'mean_temperature' as const, source: null, value: correction_k }]
      : []),
  ];
  const sum = parts.reduce((total, { value }) => total + value, 0);
  const [least, most] = setpointRanges[name];
  if (held === undefined) return bounded({ value: sum, parts }, clamp(sum, least, most));
  const share = { what: 'override' as const, source: null, value: held.value - sum };
  return bounded({ value: held.value, parts: [...parts, share] }, clamp(held.value, least, most));
}

function bounded({ value, parts }: ClimateSetpoint, to: number): ClimateSetpoint {
  const share = to - (value ?? to);
  return share === 0
    ? { value, parts }
    : { value: to, parts: [...parts, { what: 'bound', source: null, value: share }] };
}

/**
 * Heat stays off until the air is so far below the ventilation setpoint again, K; less where the setpoints are close.
 */
const vented_band_k = { least: 0.2, most: 1 };

/**
 * How far below the ventilation setpoint the air must be for heat to come again, K: down to there vents may stand open.
 */
export function ventedBand_k({ heating_c, ventilation_c }: Moment['setpoints']): number {
  const { least, most } = vented_band_k;
  return clamp(((ventilation_c ?? 0) - (heating_c ?? ventilation_c ?? 0)) / 2, least, most);
}
