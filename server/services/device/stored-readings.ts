import type { Now } from '../../auth/now.ts';
import { refuseField } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type { SeriesName } from '../../contract/measured.ts';
import type { OutputRef } from '../../contract/output.ts';
import type { OutputRepository } from '../../db/repositories/output.ts';
import type { StoredSeries, StoredStates } from '../../domain/control/dry-runs/stored.ts';
import type { MeasuredDevices } from '../../domain/control/measured-devices.ts';
import type { MeasurementReader } from '../../measurement/reader.ts';

interface StoredReadingsOptions {
  reader: Pick<MeasurementReader, 'exportPage' | 'states'>;
  measured: Pick<MeasuredDevices, 'series'>;
  outputs: Pick<OutputRepository, 'get'>;
  clock: Now;
}

export interface Span {
  from_ms: number;
  to_ms: number;
}

/** Of all series together. */
const mostSamples = 500_000;
const mostStates = 50_000;

/** Reads for one dry run, within its limits. */
export class StoredReadings {
  readonly #options: StoredReadingsOptions;
  readonly #span: Span;
  readonly #signal: AbortSignal;
  #left = mostSamples;

  constructor(options: StoredReadingsOptions, span: Span, signal: AbortSignal) {
    this.#options = options;
    this.#span = span;
    this.#signal = signal;
  }

  /** The good readings of a series from `back_s` before the span. Throws `invalid_field` when there are too many. */
  async series(name: SeriesName, back_s: number): Promise<StoredSeries> {
    const [times, values]: [number[], number[]] = [[], []];
    const toMs = this.#span.to_ms + 1;
    for (let next: number | null = this.#span.from_ms - back_s * 1000; next !== null;) {
      const asked = { series: [name], from_ms: next, to_ms: toMs };
      const page = await this.#options.reader.exportPage(asked, this.#signal);
      const [column = []] = page.values;
      page.times.forEach((time, index) => {
        const value = column[index] ?? null;
        if (value === null) return;
        times.push(time);
        values.push(value);
      });
      if (times.length > this.#left) throw refuseField('invalid_field', 'from', why('too_much_stored'));
      next = page.next_ms;
    }
    this.#left -= times.length;
    const samples = { times: Float64Array.from(times), values: Float64Array.from(values) };
    return { samples, unit: this.#options.measured.series(name)?.unit ?? null };
  }

  /** The commands and states of a channel in the span, from `back_s` before it; by default of the lowest channel. */
  async states({ output_id: device_id, channel: named }: OutputRef, back_s = 0): Promise<StoredStates> {
    const { outputs, reader, clock } = this.#options;
    const channels = outputs.get(device_id)?.channels ?? [];
    const channel = named ?? Math.min(...channels.map((one) => one.channel));
    if (!Number.isFinite(channel)) return { states: [] };
    const { from_ms, to_ms } = this.#span;
    const span = { from_ms: from_ms - back_s * 1000, to_ms: to_ms + 1, now_ms: clock(), limit: mostStates };
    return { states: await reader.states({ device_id, channel, ...span }, this.#signal) };
  }
}

export function isEmpty(stored: StoredSeries | StoredStates | null): boolean {
  return stored === null || ('samples' in stored ? stored.samples.times.length === 0 : stored.states.length === 0);
}
