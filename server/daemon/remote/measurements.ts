import { codeOf } from '../../contract/code-of.ts';
import type { LastValue } from '../../contract/measurement.ts';
import { mostPoints, type Trend } from '../../contract/measurement-query.ts';
import { RemoteFailure } from '../../contract/remote/failure.ts';
import type { measurementMethods } from '../../contract/remote/measurement.ts';
import type { MeasuredDevices } from '../../domain/control/measured-devices.ts';
import { gap_s } from '../../domain/series/gap.ts';
import type { MeasurementReader } from '../../measurement/reader.ts';
import { MeasurementWriteError, type SampleSink } from '../../measurement/store.ts';
import type { Clock } from '../clock.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { Inputs } from '../controllers/input/inputs.ts';
import type { LiveValues } from '../events/live-values.ts';
import type { HandlersOf } from './handlers.ts';

export interface MeasurementParts {
  clock: Clock;
  configuration: Pick<Configuration, 'get'>;
  /** Which devices and controllers store series. */
  measured: Pick<MeasuredDevices, 'get'>;
  live: Pick<LiveValues, 'last' | 'record'>;
  reader: Pick<MeasurementReader, 'trend'>;
  writer: SampleSink;
  /** The inputs being read. */
  inputs: Pick<Inputs, 'has'>;
}

export function measurementHandlers(parts: MeasurementParts): HandlersOf<typeof measurementMethods> {
  const { configuration, live } = parts;
  return {
    last_measurement: ({ device_id, measurement_id, max_age_s }) =>
      live.last(device_id, measurement_id, max_age_s ?? Infinity) ?? null,
    past_measurements: (asked, { signal }) => pastOf(parts, asked, signal),
    measurement_create: async ({ sample }) => {
      const fault = faultOf(configuration, sample);
      if (fault !== null) throw fault;
      await store(parts, [sample]);
      return true;
    },
    measurements_create: async ({ samples }) => {
      const faults = samples.map((sample) => faultOf(configuration, sample));
      const stored = samples.filter((_, at) => faults[at] === null);
      await store(parts, stored);
      return faults.map((fault) => fault && { code: fault.code, message: fault.message });
    },
  };
}

interface Past {
  device_id: string;
  measurement_id: string;
  past_s: number;
}

async function pastOf(
  { clock, measured, reader }: MeasurementParts,
  { device_id, measurement_id, past_s }: Past,
  signal: AbortSignal,
): Promise<Trend> {
  const toMs = clock.now();
  const device = measured.get(device_id);
  const gapMs = gap_s(device?.period_s) * 1000;
  const found = device?.channels.find((one) => one.measurement_id === measurement_id);
  const configured = found === undefined ? null : { channel: found.channel, unit: found.unit };
  const series = [{ device_id, measurement_id, configured, gap_ms: gapMs }];
  const span = { from_ms: toMs - past_s * 1000, to_ms: toMs };
  const request = { series, ...span, ends_now: true, max_points: mostPoints, is_single: true };
  const json = await reader.trend(request, signal).catch((error: unknown) => {
    throw unread(error);
  });
  return JSON.parse(json.toString()) as Trend; // what the reader writes of a single series
}

/**
 * Resolves when the samples are on disk. Throws RemoteFailure `not_stored_yet` when the disk refuses them and they
 * wait.
 */
async function store({ inputs, live, writer }: MeasurementParts, samples: readonly LastValue[]): Promise<void> {
  await writer.write(samples).catch((error: unknown) => {
    const isWaiting = error instanceof MeasurementWriteError && error.isWaiting;
    throw isWaiting ? new RemoteFailure('not_stored_yet', error.message, { cause: error }) : error;
  });
  for (const sample of samples) {
    // The live value of an input that runs is its own reading only; of one that does not, the newest sample is all that
    // is known.
    if (inputs.has(sample.device_id)) continue;
    const last = live.last(sample.device_id, sample.measurement_id);
    if (last === undefined || last.time_ms <= sample.time_ms) live.record(sample);
  }
}

/** Why a sample cannot be stored; null when it belongs to a channel that an input measures. */
function faultOf(configuration: Pick<Configuration, 'get'>, sample: LastValue): RemoteFailure | null {
  const configured = channelOf(configuration, sample);
  if (configured === null) return new RemoteFailure('not_found', 'no input measures this');
  const { channel, unit } = configured;
  if (channel === sample.channel && unit === sample.unit) return null;
  return new RemoteFailure('invalid_argument', `sample: this is channel ${channel} in ${unit}`);
}

function channelOf(
  configuration: Pick<Configuration, 'get'>,
  { device_id, measurement_id }: Pick<LastValue, 'device_id' | 'measurement_id'>,
): { channel: number; unit: string } | null {
  const channels = configuration.get('input', device_id)?.channels ?? [];
  const found = channels.find((one) => one.measurement_id === measurement_id);
  return found === undefined ? null : { channel: found.channel, unit: found.unit };
}

/** An unknown series is the caller's mistake; anything else is a fault. */
function unread(error: unknown): unknown {
  const isUnknown = codeOf(error) === 'not_found';
  return isUnknown ? new RemoteFailure('not_found', 'no such series') : error;
}
