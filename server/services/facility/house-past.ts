import type { Facility } from '../../contract/facility.ts';
import type { ActuatorRole, SensorRole } from '../../contract/facility-binding.ts';
import { sunOf } from '../../domain/analytics/light-sum.ts';
import { stateTimes } from '../../domain/analytics/state-time.ts';
import type { ClimateActuator } from '../../domain/climate-program/moment.ts';
import type { HousePast, Recorded } from '../../domain/rehearsal/calibrate.ts';
import { equipmentOf } from '../../domain/rehearsal/program-driver.ts';
import type { MeasurementReader } from '../../measurement/reader.ts';

type Past = Omit<Recorded, 'dry_matter_kg_m2'>;

/** An actuator of the house with the channel that moves it. */
export interface PastActuator extends ClimateActuator {
  output_id: string;
  channel: number;
}

/** How far back a house is looked at: enough to fit, and one day to judge by. */
const days = 4;
const step_s = 900;
const stepMs = step_s * 1000;
const mostStates = 20_000;

/** The sensors that a past is made of, the unit that each must be in, and what stands in for one that is not bound; null: nothing can. */
const series: Partial<Record<SensorRole, { unit: string | null; instead: number | null }>> = {
  indoor_temp: { unit: 'C', instead: null },
  outdoor_temp: { unit: 'C', instead: null },
  outdoor_solar: { unit: null, instead: null },
  indoor_humidity: { unit: '%', instead: NaN },
  outdoor_humidity: { unit: '%', instead: 75 },
  outdoor_wind: { unit: 'm/s', instead: 2 },
};

interface Asked {
  facility: Facility;
  actuators: readonly PastActuator[];
  now_ms: number;
}

/** The last days of a house in quarters of an hour, as far as its sensors and outputs tell; null where one that nothing replaces is not bound. */
export async function housePast(
  reader: Pick<MeasurementReader, 'means' | 'states'>,
  { facility, actuators, now_ms }: Asked,
  signal: AbortSignal,
): Promise<Past | null> {
  const toMs = Math.floor(now_ms / stepMs) * stepMs;
  const span = { from_ms: toMs - days * 86_400_000, to_ms: toMs };
  const count = (days * 86_400) / step_s;
  const valuesOf = async (role: SensorRole): Promise<(number | null)[] | null> => {
    const { unit = null, instead = null } = series[role] ?? {};
    const bound = facility.sensors.filter((one) => one.role === role);
    const [own] = [...bound.filter((one) => one.is_substitute !== true), ...bound];
    if (own === undefined) return instead === null ? null : Array.from({ length: count }, () => instead);
    const { device_id, measurement_id } = own;
    const means = await reader.means({ series: { device_id, measurement_id }, ...span }, signal);
    if (means === null) return Array.from({ length: count }, () => null);
    const share = role === 'outdoor_solar' ? sunOf(means.unit) : unit === means.unit ? 1 : undefined;
    return share === undefined ? null : quarters(means, span.from_ms, count).map((one) => one && one * share);
  };
  const [indoor, outdoor, sun] = [
    await valuesOf('indoor_temp'),
    await valuesOf('outdoor_temp'),
    await valuesOf('outdoor_solar'),
  ];
  if (indoor === null || outdoor === null || sun === null) return null;
  const [damp, air, wind] = [
    await valuesOf('indoor_humidity'),
    await valuesOf('outdoor_humidity'),
    await valuesOf('outdoor_wind'),
  ];
  const limits = Array.from({ length: count + 1 }, (_, index) => span.from_ms + index * stepMs);
  const stood = await Promise.all(
    actuators.map(async ({ key, output_id, channel }) => {
      const asked = { device_id: output_id, channel, ...span, now_ms, limit: mostStates };
      const intervals = await reader.states(asked, signal);
      return { key, pct: positions(stateTimes(intervals, limits), intervals.length > 0) };
    }),
  );
  const positioned = equipmentOf({ actuators });
  const steps = indoor.map((temp_c, index): HousePast | null => {
    const [temp, radiation_w_m2] = [outdoor[index] ?? null, sun[index] ?? null];
    const pcts = stood.map(({ key, pct }) => [key, pct[index] ?? null] as const);
    if (temp_c === null || temp === null || radiation_w_m2 === null || pcts.some(([, pct]) => pct === null))
      return null;
    const humidity_pct = damp?.[index] ?? null;
    return {
      temp_c,
      humidity_pct: humidity_pct === null || Number.isNaN(humidity_pct) ? null : humidity_pct,
      equipment: positioned(Object.fromEntries(pcts) as Record<string, number>), // none of them null
      weather: {
        ...{ temp_c: temp, radiation_w_m2: Math.max(0, radiation_w_m2), humidity_pct: air?.[index] ?? 75 },
        ...{ wind_m_s: wind?.[index] ?? 2, wind_dir_deg: 225, rain_mm_h: 0, co2_ppm: 415 },
      },
    };
  });
  return { step_s, steps };
}

/** Means of the quarters of an hour; null for one without any. */
function quarters(means: { start_ms: number[]; mean: number[] }, fromMs: number, count: number): (number | null)[] {
  const sums = Array.from({ length: count }, () => ({ sum: 0, rows: 0 }));
  for (const [index, startMs] of means.start_ms.entries()) {
    const quarter = sums[Math.floor((startMs - fromMs) / stepMs)];
    if (quarter === undefined) continue;
    quarter.sum += means.mean[index] ?? 0;
    quarter.rows += 1;
  }
  return sums.map(({ sum, rows }) => (rows === 0 ? null : sum / rows));
}

/** Where an output stood on the mean, %; null where nobody knew. One that was never recorded has never been at work. */
function positions(times: ReturnType<typeof stateTimes>, isRecorded: boolean): (number | null)[] {
  return times.map(({ full_load_s, unknown_s, unrecorded_s }) => {
    if (!isRecorded) return 0;
    return unknown_s + unrecorded_s > step_s / 2 ? null : (100 * full_load_s) / (step_s - unknown_s - unrecorded_s);
  });
}

/** Roles whose actuators the model of a house has. */
export const pastRoles: readonly ActuatorRole[] = [
  ...(['heater', 'mixing_valve', 'exhaust_fan', 'side_vent', 'roof_vent', 'co2_supply', 'lighting'] as const),
  ...(['shade_curtain', 'thermal_curtain', 'fogger'] as const),
];
