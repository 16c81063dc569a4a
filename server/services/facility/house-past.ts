import type { Facility } from '../../contract/facility.ts';
import type { ActuatorRole } from '../../contract/facility-binding.ts';
import { stateTimes } from '../../domain/analytics/state-time.ts';
import { outdoorCo2_ppm } from '../../domain/climate/air.ts';
import type { ClimateActuator } from '../../domain/climate-program/moment.ts';
import type { HousePast, Recorded } from '../../domain/rehearsal/calibrate.ts';
import { equipmentOf } from '../../domain/rehearsal/program-driver.ts';
import type { MeasurementReader } from '../../measurement/reader.ts';
import { quarter_s, quarterReader } from './stored-quarters.ts';

type Past = Omit<Recorded, 'dry_matter_kg_m2'>;

/** An actuator of the house with its channel. */
export interface PastActuator extends ClimateActuator {
  output_id: string;
  channel: number;
}

/** How much history of a house is read: enough to fit, and one day to judge by. */
const days = 4;
const stepMs = quarter_s * 1000;
const mostStates = 20_000;
/** Values used for sensors that a house does not bind. */
const instead = { outdoor_humidity: 75, outdoor_wind: 2 };

interface Asked {
  facility: Facility;
  actuators: readonly PastActuator[];
  /** End of these days, epoch ms. */
  to_ms: number;
}

/**
 * The last days of a house in quarter hours, as far as sensors and outputs recorded them; null when an indispensable
 * sensor is not bound.
 */
export async function housePast(
  reader: Pick<MeasurementReader, 'means' | 'states'>,
  { facility, actuators, to_ms: endMs }: Asked,
  signal: AbortSignal,
): Promise<Past | null> {
  const to_ms = Math.floor(endMs / stepMs) * stepMs;
  const span = { from_ms: to_ms - days * 86_400_000, to_ms };
  const count = (span.to_ms - span.from_ms) / stepMs;
  const read = quarterReader(reader, { facility, from_ms: span.from_ms, count }, signal);
  const [indoor, outdoor, sun] = [await read('indoor_temp'), await read('outdoor_temp'), await read('outdoor_solar')];
  if (indoor === null || outdoor === null || sun === null) return null;
  const [damp, air, wind] = [await read('indoor_humidity'), await read('outdoor_humidity'), await read('outdoor_wind')];
  const limits = Array.from({ length: count + 1 }, (_, index) => span.from_ms + index * stepMs);
  const stood = await Promise.all(
    actuators.map(async ({ key, output_id, channel }) => {
      const asked = { device_id: output_id, channel, ...span, now_ms: endMs, limit: mostStates };
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
    return {
      temp_c,
      humidity_pct: damp?.[index] ?? null,
      equipment: positioned(Object.fromEntries(pcts) as Record<string, number>), // none of them null
      weather: {
        temp_c: temp,
        radiation_w_m2: Math.max(0, radiation_w_m2),
        humidity_pct: air?.[index] ?? instead.outdoor_humidity,
        wind_m_s: wind?.[index] ?? instead.outdoor_wind,
        wind_dir_deg: 225,
        rain_mm_h: 0,
        co2_ppm: outdoorCo2_ppm,
      },
    };
  });
  return { step_s: quarter_s, steps };
}

/** The mean position of an output, %; null when unknown. One that was never recorded has never run. */
function positions(times: ReturnType<typeof stateTimes>, isRecorded: boolean): (number | null)[] {
  return times.map(({ full_load_s, unknown_s, unrecorded_s }) => {
    if (!isRecorded) return 0;
    return unknown_s + unrecorded_s > quarter_s / 2
      ? null
      : (100 * full_load_s) / (quarter_s - unknown_s - unrecorded_s);
  });
}

/** Roles whose actuators the model of a house has. */
export const pastRoles: readonly ActuatorRole[] = [
  ...(['heater', 'mixing_valve', 'exhaust_fan', 'side_vent', 'roof_vent', 'co2_supply', 'lighting'] as const),
  ...(['shade_curtain', 'thermal_curtain', 'fogger'] as const),
];
