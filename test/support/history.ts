import { join } from 'node:path';
import { openDatabase } from '../../server/db/open.ts';
import type { MeasuredChannel } from '../../server/contract/measured.ts';
import type { Input } from '../../server/contract/input.ts';
import { openMeasurementWriter } from '../../server/measurement/sqlite/writer.ts';
import type { Sample, StateMark } from '../../server/measurement/store.ts';

const minuteMs = 60_000;

interface Told {
  /** Epoch ms. */
  from_ms: number;
  to_ms: number;
}

/** What stores series. */
type Measuring = Pick<Input, 'unique_id' | 'name'> & { channels: readonly MeasuredChannel[] };

/** Samples of one channel, one per minute or `everyMs`; none where there is no value. */
export function samplesOf(
  input: Measuring,
  channel: number,
  span: Told,
  value: (atMs: number) => number | null,
  everyMs = minuteMs,
): Sample[] {
  const found = input.channels[channel];
  if (found === undefined) throw new Error(`${input.name} has no channel ${channel}`);
  const { measurement_id, unit } = found;
  const one = { device_id: input.unique_id, measurement_id, channel, unit, quality: 'good' as const };
  return timesOf(span, everyMs)
    .map((timeMs) => ({ ...one, time_ms: timeMs, value: value(timeMs) }))
    .filter((sample) => sample.value !== null);
}

/** One state of an output, repeated each minute like the daemon does. */
export function marksOf(output_id: string, state: number | null, span: Told): StateMark[] {
  return timesOf(span, minuteMs).map((timeMs) => ({ output_id, channel: 0, state, time_ms: timeMs, origin: null }));
}

/**
 * Writes history before a service starts; states from an earlier run are removed, because nothing older could follow
 * them.
 */
export async function writeHistory(dataDirectory: string, samples: Sample[], marks: StateMark[]): Promise<void> {
  const file = join(dataDirectory, 'measurements.db');
  const db = openDatabase(file);
  db.exec('DELETE FROM state_interval; DELETE FROM state_origin;');
  db.close();
  const writer = openMeasurementWriter(file);
  await Promise.all([writer.write(samples), writer.mark(marks)]);
  await writer.close();
}

function timesOf({ from_ms, to_ms }: Told, everyMs: number): number[] {
  return Array.from({ length: Math.ceil((to_ms - from_ms) / everyMs) }, (_, at) => from_ms + at * everyMs);
}
