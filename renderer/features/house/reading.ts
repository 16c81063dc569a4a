import type { RuntimeResult, SensorBinding, SensorReading } from '../../../server/contract/facility.ts';
import { useLive } from '../../stores/live.ts';

export interface Reading {
  binding: SensorBinding;
  value: number | null;
  unit: string;
  timeMs: number | undefined;
  quality: SensorReading['quality'];
}

/** Returns a reader for bound sensors: it takes the server's value for the house, or the live stream's when newer. */
export function useReadingOf(): (binding: SensorBinding, runtime: RuntimeResult | undefined) => Reading {
  const live = useLive();
  return (binding, runtime) => {
    const said = runtime?.sensors.find(
      (one) => one.role === binding.role && one.measurement_id === binding.measurement_id,
    );
    const now = live.value(binding.measurement_id);
    const saidMs = said?.time == null ? undefined : Date.parse(said.time);
    const isNewer = now !== undefined && (saidMs === undefined || now.time_ms > saidMs);
    const base = { binding, unit: said?.unit ?? now?.unit ?? '' };
    if (now !== undefined && isNewer) {
      return { ...base, value: now.value, timeMs: now.time_ms, quality: now.value === null ? 'bad' : now.quality };
    }
    return { ...base, value: said?.value ?? null, timeMs: saidMs, quality: said?.quality ?? 'missing' };
  };
}
