import type { MeasuredChannel } from '../../contract/measured.ts';
import type { SampleSink } from '../../measurement/store.ts';
import type { Clock } from '../clock.ts';
import type { LiveValues } from '../events/live-values.ts';

export interface OwnSeriesHost {
  clock: Clock;
  writer: SampleSink;
  live: Pick<LiveValues, 'record' | 'keep' | 'forget'>;
  /** The channels as the settings now are. */
  channels: () => readonly MeasuredChannel[];
}

interface Spared {
  /** No value is stored sooner after the one before, s. */
  least_s: number;
  /** Whether readers hear of each value, or find it in what is stored. */
  isTold: boolean;
}

/** Stores what a controller measures of itself, so that it is read as any series, and tells it to those that go by it. */
export class OwnSeries {
  readonly #id: string;
  readonly #host: OwnSeriesHost;
  readonly #spared: Spared;
  #channels: readonly MeasuredChannel[] | undefined;
  #keptAt = -Infinity;
  #of_ms: number | undefined;
  /** Channels of which it was said that there is nothing. */
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

  /** Its channels are read anew with the next value. */
  refresh(): void {
    this.#channels = undefined;
  }

  /**
   * A number a channel, null where there is none now; the first null in a row is stored, for it ends the line. `of_ms` is when the oldest
   * was read that they are worked out of, now when absent: what is not newer than before is not said again, so that its age is true.
   */
  keep(valueOf: (channel: MeasuredChannel) => number | null, ofMs?: number): void {
    const { clock, writer, live } = this.#host;
    if (clock.elapsed() - this.#keptAt < this.#spared.least_s * 1000) return;
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
    // What the disk does not take waits there; the store itself tells of it.
    writer.write(samples).catch(() => undefined);
  }

  /** Nobody goes by it any longer. */
  end(): void {
    this.#host.live.forget(this.#id);
    this.#missing.clear();
  }
}
