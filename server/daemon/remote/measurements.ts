import { z } from 'zod';
import { lastValue } from '../../contract/measurement.ts';
import type { LastValue } from '../../contract/measurement.ts';
import { mostPoints } from '../../contract/measurement-query.ts';
import { gap_s } from '../../domain/series/gap.ts';
import type { MeasurementReader } from '../../measurement/reader.ts';
import type { SampleSink } from '../../measurement/store.ts';
import type { RemoteMethod } from '../../remote/method.ts';
import type { Clock } from '../clock.ts';
import type { Configuration } from '../configuration.ts';
import type { Inputs } from '../controllers/input/inputs.ts';
import type { LiveValues } from '../live-values.ts';
import { id, method } from './arguments.ts';
import { RemoteFailure } from './failure.ts';

export interface MeasurementParts {
  clock: Clock;
  configuration: Pick<Configuration, 'input'>;
  live: Pick<LiveValues, 'last' | 'record'>;
  reader: Pick<MeasurementReader, 'trend'>;
  writer: SampleSink;
  /** The inputs that are read. */
  inputs: Pick<Inputs, 'has'>;
}

const created = lastValue.extend({ device_id: id, measurement_id: id });

/** What was measured, and what programs add to it. */
export function measurementMethods(parts: MeasurementParts): Record<string, RemoteMethod> {
  const { clock, configuration, inputs, live, reader, writer } = parts;
  const store = async (samples: readonly LastValue[]): Promise<void> => {
    await writer.write(samples);
    for (const sample of samples) {
      // What a sensor says now is its own reading alone; of one that rests, the newest sample is all that is known.
      if (inputs.has(sample.device_id)) continue;
      const last = live.last(sample.device_id, sample.measurement_id);
      if (last === undefined || last.time_ms <= sample.time_ms) live.record(sample);
    }
  };
  return {
    last_measurement: method({
      parameters: ['device_id', 'measurement_id', { name: 'max_age_s', default: null }],
      schema: z.object({ device_id: id, measurement_id: id, max_age_s: z.number().min(0).nullable() }),
      run: async ({ device_id, measurement_id, max_age_s }) =>
        live.last(device_id, measurement_id, max_age_s ?? Infinity) ?? null,
    }),
    past_measurements: method({
      parameters: ['device_id', 'measurement_id', 'past_s'],
      schema: z.object({ device_id: id, measurement_id: id, past_s: z.number().gt(0).max(1e9) }),
      run: async ({ device_id, measurement_id, past_s }, { signal }) => {
        const to_ms = clock.now();
        const gap_ms = gap_s(configuration.input(device_id)?.period_s) * 1000;
        const configured = channelOf(configuration, { device_id, measurement_id });
        const series = [{ device_id, measurement_id, configured, gap_ms }];
        const span = { from_ms: to_ms - past_s * 1000, to_ms };
        const request = { series, ...span, ends_now: true, max_points: mostPoints, is_single: true };
        const json = await reader.trend(request, signal).catch((error: unknown) => {
          throw unread(error);
        });
        return JSON.parse(json.toString()) as unknown;
      },
    }),
    measurement_create: method({
      parameters: ['sample'],
      schema: z.object({ sample: created }),
      run: async ({ sample }) => {
        const fault = faultOf(configuration, sample);
        if (fault !== null) throw fault;
        await store([sample]);
        return true;
      },
    }),
    measurements_create: method({
      parameters: ['samples'],
      schema: z.object({ samples: z.array(created).max(500) }),
      run: async ({ samples }) => {
        const faults = samples.map((sample) => faultOf(configuration, sample));
        await store(samples.filter((_, at) => faults[at] === null));
        return faults.map((fault) => fault && { code: fault.code, message: fault.message });
      },
    }),
  };
}

/** Why a sample is not stored; null where it is one of a channel that an input measures. */
function faultOf(configuration: Pick<Configuration, 'input'>, sample: LastValue): RemoteFailure | null {
  const configured = channelOf(configuration, sample);
  if (configured === null) return new RemoteFailure('not_found', 'no input measures this');
  const { channel, unit } = configured;
  if (channel === sample.channel && unit === sample.unit) return null;
  return new RemoteFailure('invalid_argument', `sample: this is channel ${channel} in ${unit}`);
}

function channelOf(
  configuration: Pick<Configuration, 'input'>,
  { device_id, measurement_id }: Pick<LastValue, 'device_id' | 'measurement_id'>,
): { channel: number; unit: string } | null {
  const channels = configuration.input(device_id)?.channels ?? [];
  const found = channels.find((one) => one.measurement_id === measurement_id);
  return found === undefined ? null : { channel: found.channel, unit: found.unit };
}

/** A series that nobody knows is the caller's mistake; anything else is a fault. */
function unread(error: unknown): unknown {
  const isUnknown = error instanceof Error && 'code' in error && error.code === 'not_found';
  return isUnknown ? new RemoteFailure('not_found', 'no such series') : error;
}
