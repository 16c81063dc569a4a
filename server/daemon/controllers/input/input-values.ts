import type { Input, InputChannel, InputScale } from '../../../contract/input.ts';
import type { MeasurementName, UnitConversion } from '../../../contract/units.ts';
import { compileScale } from '../../../domain/expression/scale.ts';
import type { Sample } from '../../../measurement/store.ts';
import type { Reading } from '../../drivers/driver.ts';

/** How a value in a sensor's unit becomes one in the stored unit; undefined for an unknown unit. */
export type Conversion = (measurement: MeasurementName, unit: string) => UnitConversion | undefined;

/** When a channel was read. */
export interface ReadAt {
  /** Epoch ms, for storing. */
  time_ms: number;
  /** Elapsed ms, for judging how fast a value moved. */
  elapsedMs: number;
}

/** Makes samples of a sensor's readings: scaled, in the stored unit, and marked bad when implausible. */
export class InputValues {
  readonly #conversion: Conversion;
  /** The last plausible value of each channel, by measurement. */
  readonly #believed = new Map<string, { value: number; elapsedMs: number }>();
  /** Compiled once: a changed setting is another object. */
  readonly #scales = new WeakMap<InputScale, ReturnType<typeof compileScale>>();

  constructor(conversion: Conversion) {
    this.#conversion = conversion;
  }

  /** Channels that are not configured, or are switched off, make no sample. */
  samplesOf({ unique_id, channels }: Input, readings: readonly Reading[], at: ReadAt): Sample[] {
    return readings.flatMap((reading) => {
      const channel = channels.find((one) => one.channel === reading.channel);
      return channel?.is_enabled === true ? [this.#sampleOf(channel, reading, { device_id: unique_id, at })] : [];
    });
  }

  #sampleOf(channel: InputChannel, reading: Reading, { device_id, at }: { device_id: string; at: ReadAt }): Sample {
    const value = reading.value === null ? null : this.#valueOf(channel, reading.value);
    const { measurement_id, unit } = channel;
    const told = { device_id, measurement_id, channel: channel.channel, unit, time_ms: at.time_ms };
    if (value === null) return { ...told, value, quality: 'bad' };
    const quality = reading.quality ?? 'good';
    if (quality !== 'good') return { ...told, value, quality };
    if (isOutside(channel, value) || this.#isTooFast(channel, value, at)) return { ...told, value, quality: 'bad' };
    this.#believed.set(measurement_id, { value, elapsedMs: at.elapsedMs });
    return { ...told, value, quality };
  }

  #valueOf({ scale, raw_unit, measurement }: InputChannel, number: number): number | null {
    const scaled = scale === null ? number : this.#scaleOf(scale)(number);
    if (scaled === null) return null;
    if (raw_unit === null) return Number.isFinite(scaled) ? scaled : null;
    const spoken = this.#conversion(measurement, raw_unit);
    const value = spoken === undefined ? NaN : scaled * spoken.factor + spoken.offset; // in an unknown unit it says nothing
    return Number.isFinite(value) ? value : null;
  }

  #scaleOf(scale: InputScale): ReturnType<typeof compileScale> {
    const known = this.#scales.get(scale) ?? compileScale(scale);
    this.#scales.set(scale, known);
    return known;
  }

  /** Compares with the last plausible value: the older it is, the further the value may have moved. */
  #isTooFast({ measurement_id, max_rate_per_min }: InputChannel, value: number, { elapsedMs }: ReadAt): boolean {
    const last = this.#believed.get(measurement_id);
    if (max_rate_per_min === null || last === undefined) return false;
    return Math.abs(value - last.value) > (max_rate_per_min * (elapsedMs - last.elapsedMs)) / 60_000;
  }
}

function isOutside({ plausible_min, plausible_max }: InputChannel, value: number): boolean {
  return value < (plausible_min ?? -Infinity) || value > (plausible_max ?? Infinity);
}
