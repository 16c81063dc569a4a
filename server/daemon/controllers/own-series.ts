import type { MeasuredChannel } from '../../contract/measured.ts';
import type { SampleSink } from '../../measurement/store.ts';
import type { Clock } from '../clock.ts';
import type { LiveValues } from '../events/live-values.ts';

export interface OwnSeriesHost {
  clock: Clock;
  writer: SampleSink;
  live: Pick<LiveValues, 'record' | 'keep' | 'forget'>;
  /** The channels by the current settings. */
  channels: () => readonly MeasuredChannel[];
}

interface Spared {
  /** The shortest time between two stored values, s. */
  least_s: number;
  /** Whether each value is also published live, or only stored. */
  isTold: boolean;
}

/** The part of that time by which a value may come early: what a tick does before it takes now longer, now less. */
const early = 0.02;

/** Stores what a controller measures of itself, so that it reads like any series, and publishes it live. */
export class OwnSeries {
  readonly #id: string;
  readonly #host: OwnSeriesHost;
  readonly #spared: Spared;
  #channels: readonly MeasuredChannel[] | undefined;
  #keptAt = -Infinity;
  #of_ms: number | undefined;
  /** Channels whose missing value has been stored. */
  readonly #missing = new Set<number>();

  constructor(id: string, host: OwnSeriesHost, spared: Spared) {
    this.#id = id;
    this.#host = host;
    this.#spared = spared;
  }

  channels(): readonly MeasuredChannel[] {
    this.#channels ??= this.#host.channels();
    return this.#channels;
  }

  /** Reads its channels anew with the next value. */
  refresh(): void {
    this.#channels = undefined;
  }

  /**
   * Stores a number for each channel, null when it has none now; the first null in a row is stored, as it ends the
   * line. `ofMs` is when the oldest reading behind the values was taken, by default now: values from the same reading
   * are not stored again, so that their age stays true.
   */
  keep(valueOf: (channel: MeasuredChannel) => number | null, ofMs?: number): void {
    const { clock, writer, live } = this.#host;
    if (clock.elapsed() - this.#keptAt < this.#spared.least_s * 1000 * (1 - early)) return;
    if (ofMs !== undefined && ofMs === this.#of_ms) return;
    const timeMs = Math.round(ofMs ?? clock.now());
    const samples = this.channels().flatMap((one) => {
      const found = valueOf(one);
      const value = found !== null && Number.isFinite(found) ? found : null;
      if (value === null && this.#missing.has(one.channel)) return [];
      if (value === null) this.#missing.add(one.channel);
      else this.#missing.delete(one.channel);
      const { measurement_id, channel, unit } = one;
      const quality = value === null ? ('bad' as const) : ('good' as const);
      return [{ device_id: this.#id, measurement_id, channel, value, unit, quality, time_ms: timeMs }];
    });
    if (samples.length === 0) return;
    this.#keptAt = clock.elapsed();
    this.#of_ms = ofMs;
    for (const sample of samples) {
      if (this.#spared.isTold) live.record(sample);
      else live.keep(sample);
    }
    // Samples that the disk does not take wait in the store, which reports it.
    writer.write(samples).catch(() => undefined);
  }

  /** Withdraws its live values. */
  end(): void {
    this.#host.live.forget(this.#id);
    this.#missing.clear();
  }
}
