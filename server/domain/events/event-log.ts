import type { DaemonEvent } from '../../contract/daemon.ts';
import { sampleQuality, type LastValue } from '../../contract/measurement.ts';

export interface LogLimits {
  /** Events kept. */
  count: number;
  /** How long they are kept, ms. */
  ageMs: number;
}

/**
 * An hour at 55 events a second, in at most 10 MB if they are readings; at a higher rate events are kept for less time.
 */
export const defaultLogLimits: LogLimits = { count: 200_000, ageMs: 3_600_000 };

const chunkLength = 2_048;
const qualities = sampleQuality.options;

type Series = Pick<LastValue, 'device_id' | 'measurement_id' | 'channel' | 'unit'>;

/** A chunk of events as columns. Events other than readings are in `others`, by index. */
class Chunk {
  length = 0;
  readonly number = new Float64Array(chunkLength);
  readonly age = new Float64Array(chunkLength);
  readonly at = new Float64Array(chunkLength);
  readonly time = new Float64Array(chunkLength);
  readonly value = new Float64Array(chunkLength);
  readonly series = new Uint32Array(chunkLength);
  readonly quality = new Uint8Array(chunkLength);
  readonly others = new Map<number, DaemonEvent>();
}

/**
 * The newest events of one start of the daemon, by rising numbers. Nearly all are readings, so these are kept as
 * columns of numbers: as objects they would take five times the memory.
 */
export class EventLog {
  readonly #limits: LogLimits;
  #boot = '';
  #chunks: Chunk[] = [];
  /** Events of the first chunk that have been dropped. */
  #gone = 0;
  #count = 0;
  #before = 0;
  #last = 0;
  readonly #series: Series[] = [];
  readonly #seriesOf = new Map<string, number>();

  constructor(limits: Partial<LogLimits> = {}) {
    this.#limits = { ...defaultLogLimits, ...limits };
  }

  get boot(): string {
    return this.#boot;
  }

  /** Number of the last event before the first one kept. */
  get before(): number {
    return this.#before;
  }

  get last(): number {
    return this.#last;
  }

  /** Forgets everything, and keeps what comes after the number. */
  restart(boot: string, number: number): void {
    this.#boot = boot;
    this.#before = this.#last = number;
    this.#chunks = [];
    this.#gone = this.#count = 0;
  }

  /**
   * Takes an event with a higher number than the last; `ageMs` is the time for its age, by any clock that only rises.
   */
  push(number: number, event: DaemonEvent, ageMs: number): void {
    let chunk = this.#chunks.at(-1);
    if (chunk === undefined || chunk.length === chunkLength) this.#chunks.push((chunk = new Chunk()));
    const place = chunk.length;
    chunk.number[place] = number;
    chunk.age[place] = ageMs;
    if (event.kind === 'measurement') {
      chunk.at[place] = Date.parse(event.at);
      chunk.time[place] = event.time_ms;
      chunk.value[place] = event.value ?? NaN;
      chunk.series[place] = this.#numberOf(event);
      chunk.quality[place] = qualities.indexOf(event.quality);
    } else chunk.others.set(place, event);
    chunk.length += 1;
    this.#count += 1;
    this.#last = number;
    this.#drop(ageMs);
  }

  /**
   * At most `most` events after a number, oldest first; null when some of them are gone, or the number is in the
   * future.
   */
  after(number: number, most = Infinity): DaemonEvent[] | null {
    if (!(number >= this.#before && number <= this.#last)) return null;
    const first = this.#chunks.findIndex((chunk) => (chunk.number[chunk.length - 1] ?? 0) > number);
    const events: DaemonEvent[] = [];
    for (const chunk of first < 0 ? [] : this.#chunks.slice(first)) {
      for (let place = 0; place < chunk.length && events.length < most; place += 1) {
        if ((chunk.number[place] ?? 0) > number) events.push(this.#eventAt(chunk, place));
      }
      if (events.length >= most) break;
    }
    return events;
  }

  /** Those from a time on, by the clock of `push`, oldest first. */
  since(ageMs: number): DaemonEvent[] {
    const first = this.#chunks.findIndex((chunk) => (chunk.age[chunk.length - 1] ?? 0) >= ageMs);
    const [chunk] = first < 0 ? [] : this.#chunks.slice(first);
    const place = chunk?.age.findIndex((age, at) => age >= ageMs && at >= (first === 0 ? this.#gone : 0)) ?? -1;
    const number = chunk?.number[place];
    return number === undefined ? [] : (this.after(number - 1) ?? []);
  }

  #drop(nowMs: number): void {
    for (let chunk = this.#chunks[0]; chunk !== undefined && this.#isSpent(chunk, nowMs); chunk = this.#chunks[0]) {
      this.#before = chunk.number[this.#gone] ?? this.#before;
      this.#gone += 1;
      this.#count -= 1;
      if (this.#gone < chunkLength) continue;
      this.#chunks.shift();
      this.#gone = 0;
    }
  }

  #isSpent(oldest: Chunk, nowMs: number): boolean {
    if (this.#count === 0) return false;
    const { count, ageMs } = this.#limits;
    return this.#count > count || (oldest.age[this.#gone] ?? nowMs) < nowMs - ageMs;
  }

  #eventAt(chunk: Chunk, place: number): DaemonEvent {
    const other = chunk.others.get(place);
    if (other !== undefined) return other;
    const series = this.#series[chunk.series[place] ?? 0];
    const quality = qualities[chunk.quality[place] ?? 0];
    const { [place]: value = NaN } = chunk.value;
    if (series === undefined || quality === undefined) throw new Error('an event without its series');
    return {
      id: `${this.#boot}:${chunk.number[place]}`,
      at: new Date(chunk.at[place] ?? 0).toISOString(),
      kind: 'measurement',
      ...series,
      value: Number.isNaN(value) ? null : value,
      quality,
      time_ms: chunk.time[place] ?? 0,
    };
  }

  #numberOf({ device_id, measurement_id, channel, unit }: Series): number {
    const key = `${device_id}/${measurement_id}/${channel}/${unit}`;
    const known = this.#seriesOf.get(key);
    if (known !== undefined) return known;
    this.#seriesOf.set(key, this.#series.length);
    return this.#series.push({ device_id, measurement_id, channel, unit }) - 1;
  }
}
