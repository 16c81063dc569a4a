import { isoOf } from '../../contract/time.ts';
import type { ActuatorBinding, ActuatorReading, SensorBinding, SensorReading } from '../../contract/facility.ts';
import type { MeasuredDevice } from '../../contract/measured.ts';
import { isPausing } from '../../contract/output-state.ts';
import { staleAfter_s } from '../../contract/safety.ts';
import type { LastValue } from '../../contract/measurement.ts';
import type { Output } from '../../contract/output.ts';
import type { LiveCache } from '../live/live.ts';
import { findOutliers } from '../../domain/climate/outliers.ts';
import { unknownChannel } from '../live/values.ts';
import { findChannel } from '../device/output-command.ts';

export type LiveSource = Pick<LiveCache, 'reading' | 'age_s' | 'outputState' | 'knownOutput' | 'controller'>;

/** The present state of a bound sensor. */
export interface Sensed {
  reading: SensorReading;
  /** undefined: the device is gone. */
  input: MeasuredDevice | undefined;
  /** When the reading goes stale, or did, epoch ms of the present clock; null when there is no reading. */
  staleAtMs: number | null;
  /** Its neighbours of the same role contradict it. */
  isOutlier?: true;
}

/** The present state of a bound actuator. */
export interface Actuated {
  reading: ActuatorReading;
  /** undefined: the device is gone. */
  output: Output | undefined;
  /** Off between two times on of its cycle. */
  isPausing: boolean;
}

/** The present reading of a bound sensor. */
export function senseNow(
  binding: SensorBinding,
  input: MeasuredDevice | undefined,
  { live, nowMs }: { live: LiveSource; nowMs: number },
): Sensed {
  const { role, device_id, measurement_id, name } = binding;
  const channel = input?.channels.find((one) => one.measurement_id === measurement_id);
  const base = { role, device_id, measurement_id, name };
  const empty = { ...base, value: null, unit: channel?.unit ?? null, time: null, age_s: null };
  if (input === undefined || channel === undefined) {
    return { reading: { ...empty, quality: 'unbound' }, input: undefined, staleAtMs: null };
  }
  const last = live.reading(device_id, measurement_id);
  const hasFailed = live.controller(device_id)?.status.state === 'failed';
  if (last === undefined) {
    return { reading: { ...empty, quality: hasFailed ? 'error' : 'missing' }, input, staleAtMs: null };
  }
  const limitMs = staleAfter_s(input) * 1000;
  const ageMs = (live.age_s(device_id, measurement_id) ?? 0) * 1000;
  const isStale = ageMs >= limitMs;
  // The clock may have been set since it dated the reading.
  const staleAtMs = isStale ? Math.min(nowMs, last.time_ms + limitMs) : nowMs + limitMs - ageMs;
  const reading: SensorReading = {
    ...base,
    value: last.value,
    unit: last.unit,
    time: isoOf(last.time_ms),
    age_s: ageMs / 1000,
    quality: hasFailed ? 'error' : isStale ? 'stale' : qualityOf(last),
  };
  return { reading, input, staleAtMs };
}

/** A good reading that neighbours of the same role contradict becomes suspect: it is shown, but not used. */
export function doubtOutliers(sensed: readonly Sensed[]): Sensed[] {
  const doubted = new Set<Sensed>();
  for (const [role, ofRole] of Map.groupBy(sensed.filter(isGood), ({ reading }) => reading.role)) {
    const apart = findOutliers(
      role,
      ofRole.map(({ reading }) => reading.value ?? NaN),
    );
    ofRole.forEach((one, index) => apart[index] && doubted.add(one));
  }
  return sensed.map((one) =>
    doubted.has(one) ? { ...one, isOutlier: true, reading: { ...one.reading, quality: 'suspect' } } : one,
  );
}

function isGood({ reading }: Sensed): boolean {
  return reading.quality === 'good' && reading.value !== null;
}

/** A sensor that returns no number is bad, whatever quality it reports. */
function qualityOf(last: LastValue): 'good' | 'suspect' | 'bad' {
  return last.value === null ? 'bad' : last.quality;
}

/** The present state of a bound actuator. */
export function actuateNow(binding: ActuatorBinding, output: Output | undefined, live: LiveSource): Actuated {
  const { role, device_id, name } = binding;
  const channel = output && findChannel(output, binding.channel)?.channel;
  const isBound = output !== undefined && channel !== undefined;
  const state = isBound ? live.outputState(device_id, channel) : unknownChannel(binding.channel ?? 0);
  const hasFailed = live.controller(device_id)?.status.state === 'failed';
  const reading: ActuatorReading = {
    role,
    device_id,
    channel: channel ?? binding.channel ?? null,
    name,
    state: state.state,
    quality: !isBound ? 'unbound' : hasFailed ? 'error' : state.quality,
    source: state.source,
    until: state.until,
    on_seconds: state.on_seconds,
  };
  return { reading, output: isBound ? output : undefined, isPausing: isPausing(state) };
}

/** On, or open by more than 0. */
export function isRunning({ state }: Pick<ActuatorReading, 'state'>): boolean {
  return state === 'on' || (typeof state === 'number' && state > 0);
}
