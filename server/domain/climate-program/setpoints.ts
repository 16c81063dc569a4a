import type { ClimateSetpoint, ClimateSetpointsNow, SetpointName } from '../../contract/climate-live.ts';
import { setpointNames } from '../../contract/climate-live.ts';
import type { ClimateInfluence, ClimateProgram } from '../../contract/climate-settings.ts';
import type { ClimateReadings } from './moment.ts';
import { along, clamp } from './moment.ts';
import type { ClimateState } from './state.ts';

/** Ranges that no sum of shares leaves, as the contract has those of a period. */
const ranges: Readonly<Record<SetpointName, readonly [number, number]>> = {
  heating_c: [0, 40],
  ventilation_c: [0, 50],
  humidity_pct: [30, 100],
  co2_ppm: [200, 3000],
  vent_min_pct: [0, 100],
  vent_max_pct: [0, 100],
};

/** What an influence reads that readings do not say. */
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

/** The shift of each influence; one whose source is silent keeps the shift it had. */
export function shiftsOf(before: readonly number[], { influences, readings, remembered, dt_s }: Shifting): number[] {
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
  program: Pick<ClimateProgram, 'influences'>;
  /** What the period alone asks for. */
  period: Readonly<Record<SetpointName, number | null>>;
  state: Pick<ClimateState, 'shifts' | 'mean'>;
}

/** Each setpoint with its shares: the period, influences, the correction of the mean temperature, and bounds. */
export function setpointsOf({ program, period, state }: Adding): ClimateSetpointsNow {
  const added = Object.fromEntries(
    setpointNames.map((name) => [name, sumOf(name, { program, period, state })]),
  ) as ClimateSetpointsNow; // of every name
  const [heating, ventilation] = [added.heating_c.value, added.ventilation_c.value];
  if (heating === null || ventilation === null || ventilation >= heating) return added;
  return { ...added, ventilation_c: bounded(added.ventilation_c, heating) };
}

function sumOf(name: SetpointName, { program, period, state }: Adding): ClimateSetpoint {
  const base = period[name];
  if (base === null) return { value: null, parts: [] };
  const influenced = program.influences.flatMap(({ on, source }, index) => {
    const value = state.shifts[index] ?? 0;
    return on === name && value !== 0 ? [{ what: 'influence' as const, source, value }] : [];
  });
  const isTemperature = name === 'heating_c' || name === 'ventilation_c';
  const { correction_k } = state.mean;
  const parts: ClimateSetpoint['parts'] = [
    { what: 'period', source: null, value: base },
    ...influenced,
    ...(isTemperature && correction_k !== 0
      ? [{ what: 'mean_temperature' as const, source: null, value: correction_k }]
      : []),
  ];
  const sum = parts.reduce((total, { value }) => total + value, 0);
  const [least, most] = ranges[name];
  return bounded({ value: sum, parts }, clamp(sum, least, most));
}

function bounded({ value, parts }: ClimateSetpoint, to: number): ClimateSetpoint {
  const share = to - (value ?? to);
  return share === 0
    ? { value, parts }
    : { value: to, parts: [...parts, { what: 'bound', source: null, value: share }] };
}
