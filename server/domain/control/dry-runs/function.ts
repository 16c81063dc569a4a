import type { ControlMeasurement } from '../../../contract/pid.ts';
import { functionReads, type FunctionLive, type FunctionSettings } from '../../../contract/function.ts';
import type { MeasuredChannel } from '../../../contract/measured.ts';
import type { OutputRef } from '../../../contract/output.ts';
import type { Reason } from '../../../contract/reason.ts';
import type { Place } from '../../solar/sun-day.ts';
import type { Quantity } from '../functions/derived.ts';
import { missing, type Drive, type Found } from '../functions/laws/law.ts';
import { lawOf } from '../functions/laws/law-list.ts';
import { freshAt, type StoredSeries } from './stored.ts';

export interface FunctionDryRunAsked {
  settings: FunctionSettings;
  /** For each series that it reads, in the order of `functionReads`. */
  stored: readonly StoredSeries[];
  /** What it would store. */
  channels: readonly MeasuredChannel[];
  place: Place;
  /** The first tick, epoch ms. */
  from_ms: number;
  looks: number;
  /** Maximum commands listed, and values drawn. */
  mostListed: number;
  mostDrawn: number;
}

/** The end of a tick, as a running function reports it. */
type Last = Pick<FunctionLive, 'value' | 'unit' | 'is_on' | 'values'> & { at_ms: number; reason: Reason | null };

export interface FunctionDryRunFound {
  /** Ticks at which something was missing. */
  missing_count: number;
  times: number[];
  values: (number | null)[];
  last: Last | null;
  /** The commands to its outputs, each at a change: on, off, or ml. */
  runs: { at_ms: number; output: OutputRef; value: boolean | number; reason: Reason }[];
  run_count: number;
}

/** What a function would have calculated and requested from its outputs, tick by tick, from stored data. */
export async function functionDryRun(given: FunctionDryRunAsked): Promise<FunctionDryRunFound> {
  const { settings, looks, from_ms, mostDrawn } = given;
  const found: FunctionDryRunFound = { missing_count: 0, times: [], values: [], last: null, runs: [], run_count: 0 };
  let atMs = from_ms;
  const law = lawOf(settings.kind, {
    id: settings.unique_id,
    kept: undefined,
    now: () => atMs,
    place: () => given.place,
    tanks: { tell: () => undefined, others: () => [] },
    remember: async () => undefined,
  });
  const read = readerOf(given, () => atMs);
  const drive = new RecordedDrive((run) => {
    found.run_count += 1;
    if (found.runs.length < given.mostListed) found.runs.push({ at_ms: atMs, ...run });
  });
  const every = Math.ceil(looks / mostDrawn);
  for (let look = 0; look < looks; look += 1) {
    atMs = from_ms + look * settings.options.period_s * 1000;
    const seen = await law.look(settings.options, { read, drive });
    if (seen.failure === missing) found.missing_count += 1;
    const last = shownOf(seen, given.channels);
    found.last = { at_ms: atMs, ...last };
    if (look % every !== 0) continue;
    found.times.push(atMs);
    found.values.push(seen.failure === missing ? null : last.value);
  }
  return found;
}

function readerOf({ settings, stored }: FunctionDryRunAsked, now: () => number) {
  const nameOf = (one: ControlMeasurement): string => `${one.device_id}/${one.measurement_id}`;
  const known = new Map(functionReads(settings).map(({ series }, index) => [nameOf(series), stored[index]]));
  return (series: ControlMeasurement): Quantity | null => {
    const one = known.get(nameOf(series));
    const fresh = one === undefined ? null : freshAt(one.samples, now(), series.max_age_s);
    return fresh === null || one?.unit == null ? null : { value: fresh.value, unit: one.unit };
  };
}

function shownOf(
  { values, shown = values[0] ?? null, is_on = null, reason = null }: Found,
  channels: readonly MeasuredChannel[],
): Omit<Last, 'at_ms'> {
  const all = channels.map(({ channel, name, unit }) => ({ name, unit, value: values[channel]?.value ?? null }));
  return { value: shown?.value ?? null, unit: shown?.unit ?? null, is_on, reason, values: all };
}

type Told = Omit<FunctionDryRunFound['runs'][number], 'at_ms'>;

/** Records the commands and drives nothing. */
class RecordedDrive implements Drive {
  readonly #record: (run: Told) => void;
  readonly #last = new Map<string, boolean>();

  constructor(record: (run: Told) => void) {
    this.#record = record;
  }

  get isDriving(): boolean {
    return this.#last.size > 0;
  }

  ask: Drive['ask'] = async (output, { state, volume_ml }, reason) => {
    const name = `${output.output_id}/${output.channel}`;
    const isOn = state === true;
    // An output that is already off does not change.
    const isSame = (this.#last.get(name) ?? false) === isOn;
    this.#last.set(name, isOn);
    if (volume_ml !== undefined) this.#record({ output, value: volume_ml, reason });
    else if (!isSame) this.#record({ output, value: isOn, reason });
    return null;
  };

  makeSafe = async (): Promise<void> => this.#last.clear();
}
