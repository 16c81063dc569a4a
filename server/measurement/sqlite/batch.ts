import type { SampleQuality } from '../../contract/measurement.ts';
import type { ChannelRetention, Sample, StateMark } from '../store.ts';

/** A series that is new to the worker; its index in `Batch.series` continues over all batches. */
export interface SeriesKey {
  device_id: string;
  measurement_id: string;
  channel: number;
  unit: string;
}

/** Samples as columns, which cross to the worker without being copied. A value that is not a number stands for null. */
export interface Batch {
  id: number;
  new_series: SeriesKey[];
  series: Uint32Array<ArrayBuffer>;
  time_ms: Float64Array<ArrayBuffer>;
  value: Float64Array<ArrayBuffer>;
  quality: Uint8Array<ArrayBuffer>;
  states: readonly StateMark[];
}

/** Tasks of the writing thread. Only a batch is answered by its id. */
export type WriterTask =
  | { kind: 'batch'; batch: Batch }
  | { kind: 'retain'; exceptions: readonly ChannelRetention[]; now_ms: number }
  | { kind: 'open' }
  | { kind: 'close' };

export interface WriteFailure {
  code: string;
  message: string;
  /** The file itself is broken. */
  is_damaged: boolean;
}

/** Messages of the writing thread: how a batch ended, a failure of background work, the fate of a damaged file. */
export type WriterAnswer =
  | { kind: 'batch'; id: number; error: WriteFailure | null }
  | { kind: 'failed'; error: WriteFailure }
  | { kind: 'salvaging'; aside: string }
  | { kind: 'salvaged'; message: string };

export const qualityCode = { good: 0, suspect: 1, bad: 2 } as const satisfies Record<SampleQuality, number>;

/** Numbers series in the order of their first sample. */
export class SeriesIndex {
  readonly #numbers = new Map<string, number>();
  #announced: SeriesKey[] = [];

  numberOf({ device_id, measurement_id, channel, unit }: Sample): number {
    const key = `${device_id} ${measurement_id} ${channel} ${unit}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(key, number);
    this.#announced.push({ device_id, measurement_id, channel, unit });
    return number;
  }

  /** The series numbered since the last call. */
  takeNew(): SeriesKey[] {
    const taken = this.#announced;
    this.#announced = [];
    return taken;
  }
}

export interface BatchContent {
  samples: readonly Sample[];
  states: readonly StateMark[];
}

export function toBatch(id: number, { samples, states }: BatchContent, index: SeriesIndex): Batch {
  const batch: Batch = {
    id,
    states,
    new_series: [],
    series: new Uint32Array(samples.length),
    time_ms: new Float64Array(samples.length),
    value: new Float64Array(samples.length),
    quality: new Uint8Array(samples.length),
  };
  samples.forEach((sample, at) => {
    batch.series[at] = index.numberOf(sample);
    batch.time_ms[at] = sample.time_ms;
    batch.value[at] = sample.value ?? NaN;
    batch.quality[at] = qualityCode[sample.quality];
  });
  batch.new_series = index.takeNew();
  return batch;
}
