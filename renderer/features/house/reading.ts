import type { RuntimeResult, SensorBinding, SensorReading, SensorRole } from '../../../server/contract/facility.ts';
import { useLive } from '../../stores/live.ts';
import type { LiveValue } from '../../stores/live/devices.ts';
import { useNow } from '../../ui/now.ts';

export interface Reading {
  binding: SensorBinding;
  value: number | null;
  unit: string;
  /** Smallest step of the sensor, in that unit; undefined when unknown. */
  resolution?: number | undefined;
  timeMs: number | undefined;
  quality: SensorReading['quality'];
}

/** Returns a reader for bound sensors: it takes the server's value for the house, or the live stream's when newer. */
export function useReadingOf(): (binding: SensorBinding, runtime: RuntimeResult | undefined) => Reading {
  const live = useLive();
  const clock = useNow();
  return (binding, runtime) => {
    const said = runtime?.sensors.find(
      (one) => one.role === binding.role && one.measurement_id === binding.measurement_id,
    );
    const now = live.value(binding.measurement_id);
    const saidMs = said?.time == null ? undefined : Date.parse(said.time);
    const isNewer = now !== undefined && (saidMs === undefined || now.time_ms > saidMs);
    const resolution = live.resolution(binding.measurement_id);
    const base = { binding, unit: said?.unit ?? now?.unit ?? '', resolution };
    const reading =
      now !== undefined && isNewer
        ? { ...base, value: now.value, timeMs: now.time_ms, quality: liveQuality(now, said?.quality) }
        : { ...base, value: said?.value ?? null, timeMs: saidMs, quality: said?.quality ?? 'missing' };
    const limit_s = live.staleAfterS(binding.measurement_id) ?? Infinity;
    const isStale = (clock.value - (reading.timeMs ?? Infinity)) / 1_000 > limit_s;
    return reading.quality === 'good' && isStale ? { ...reading, quality: 'stale' } : reading;
  };
}

const means = { indoor_temp: 'temp_c', indoor_humidity: 'humidity_pct', indoor_co2: 'co2_ppm' } as const;

/** The reading of a role: from its only sensor directly, from several the mean that the server calculates. */
export function houseReading(
  role: keyof typeof means,
  readings: readonly Reading[],
  runtime: RuntimeResult | undefined,
): Omit<Reading, 'binding'> | null {
  const found = readings.filter(({ binding }) => binding.role === role);
  const [first] = found;
  if (first === undefined || found.length === 1) return first ?? null;
  const steps = found.flatMap(({ resolution }) => resolution ?? []);
  const resolution = steps.length === found.length ? Math.min(...steps) : undefined;
  return { unit: first.unit, resolution, ...calculated(runtime?.indoor[means[role]] ?? null, [role], readings) };
}

/**
 * A value that the server calculates from the readings of some roles: as old as the oldest good one of them, and stale
 * once a role has no good one left, with the age of the newest.
 */
export function calculated(
  value: number | null,
  roles: readonly SensorRole[],
  readings: readonly Reading[],
): Pick<Reading, 'value' | 'timeMs' | 'quality'> {
  const sources = roles.map((role) => {
    const found = readings.filter(({ binding }) => binding.role === role);
    const good = found.filter(({ quality }) => quality === 'good');
    const times = (good.length > 0 ? good : found).flatMap(({ timeMs }) => timeMs ?? []);
    return { isGood: good.length > 0, timeMs: good.length > 0 ? Math.min(...times) : Math.max(...times) };
  });
  const timeMs = Math.min(...sources.map((one) => one.timeMs).filter(Number.isFinite));
  const known = sources.every(({ isGood }) => isGood) ? 'good' : 'stale';
  return {
    value,
    timeMs: Number.isFinite(timeMs) ? timeMs : undefined,
    quality: value === null ? 'missing' : known,
  };
}

/**
 * A newer value has the quality that its device says. What only the server knows, that neighbours contradict the sensor
 * or that its device has failed, holds until it judges again.
 */
function liveQuality({ value, quality }: LiveValue, judged: Reading['quality'] | undefined): Reading['quality'] {
  if (value === null) return 'bad';
  return quality === 'good' && (judged === 'suspect' || judged === 'error') ? judged : quality;
}
