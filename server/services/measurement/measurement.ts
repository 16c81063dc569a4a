import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { Now } from '../../auth/now.ts';
import { Refusal, refuseField, refusePlainly } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type { BodyOf, QueryOf } from '../../contract/endpoint.ts';
import {
  type AggregateName,
  type measurementEndpoints,
  aggregateNames,
  mostPoints,
} from '../../contract/measurement-query.ts';
import { dated, type DatedValue, type LastValue } from '../../contract/measurement.ts';
import { spanFileName } from '../../contract/file-name.ts';
import { epochOf, type Moment } from '../../contract/time.ts';
import type { FacilityRepository } from '../../db/repositories/facility.ts';
import type { InputRepository } from '../../db/repositories/input.ts';
import type { OutputRepository } from '../../db/repositories/output.ts';
import type { MeasuredDevices } from '../../domain/control/measured-devices.ts';
import type { StateInterval } from '../../domain/analytics/state-time.ts';
import { mostBuckets } from '../../domain/series/calendar.ts';
import { gap_s } from '../../domain/series/gap.ts';
import type { Span } from '../../domain/series/resolution.ts';
import {
  mostCells,
  type AskedSeries,
  type ExportPage,
  type ExportRequest,
  type MeasurementReader,
  type SeriesName,
  type SpokenUnit,
} from '../../measurement/reader.ts';
import { commandFailure } from '../live/daemon-port.ts';
import type { SampleBatches } from './sample-batches.ts';
import type { LiveCache } from '../live/live.ts';
import type { UnitService } from './unit.ts';
import { csvForm, measurementCsv } from './csv.ts';
import { besideEarlier } from './earlier-pages.ts';
import { withStates } from './held-states.ts';

type Query<Name extends keyof typeof measurementEndpoints> = QueryOf<(typeof measurementEndpoints)[Name]>;

interface Drawing {
  points?: number | undefined;
  gap_s?: number | undefined;
  unit?: string | undefined;
}

interface MeasurementServiceOptions {
  reader: MeasurementReader;
  units: Pick<UnitService, 'conversion'>;
  inputs: Pick<InputRepository, 'seriesOf'>;
  measured: Pick<MeasuredDevices, 'get' | 'series'>;
  outputs: Pick<OutputRepository, 'get'>;
  facilities: Pick<FacilityRepository, 'list'>;
  live: Pick<LiveCache, 'reading'>;
  batches: Pick<SampleBatches, 'add'>;
  audit: AuditSink;
  clock: Now;
  /** IANA time zone of the site. */
  timeZone: () => string;
  siteName: () => string;
}

/** Of an output at a time in an export: their turn on this thread is short. */
const heldStates = 250;

/** Daemon and server share a clock, but a script's samples may come from one that runs ahead. */
const clockErrorMs = 60_000;

/** Reads measurements and adds to them. */
export class MeasurementService {
  readonly #options: MeasurementServiceOptions;

  constructor(options: MeasurementServiceOptions) {
    this.#options = options;
  }

  /** The newest live value, else the newest on disk. Throws `not_found`. */
  async last({ max_age_s = Infinity, ...series }: Query<'last'>): Promise<{ last: DatedValue | null }> {
    const { live, reader, clock } = this.#options;
    const last = live.reading(series.device_id, series.measurement_id) ?? (await reader.last(series));
    if (last === null && this.#asked(series).configured === null) throw new Refusal('not_found', 'no such series');
    return { last: last !== null && clock() - last.time_ms <= max_age_s * 1000 ? dated(last) : null };
  }

  /** JSON of a trend. Throws `not_found`. */
  past({ past_s, ...query }: Query<'past'>, signal: AbortSignal): Promise<Buffer> {
    const toMs = this.#options.clock();
    return this.#trend(
      [query],
      { ...query, from_ms: toMs - past_s * 1000, to_ms: toMs, ends_now: true, is_single: true },
      signal,
    );
  }

  /** JSON of a trend. Throws `not_found`, `invalid_field`. */
  historical(query: Query<'historical'>, signal: AbortSignal): Promise<Buffer> {
    return this.#trend([query], { ...query, ...this.#span(query), is_single: true }, signal);
  }

  /** JSON of trends. Throws `invalid_field`. */
  multi(query: Query<'multi'>, signal: AbortSignal): Promise<Buffer> {
    return this.#trend(seriesOf(query.series), { ...query, ...this.#span(query), is_single: false }, signal);
  }

  /** JSON of aggregated series. Throws `invalid_field`. */
  aggregated(
    { series, bucket, aggregates = 'mean', ...query }: Query<'aggregated'>,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const span = this.#span(query);
    if (mostBuckets(span, bucket) > mostPoints + 1) {
      throw refusePlainly('invalid_field', 'bucket', `would give more than ${mostPoints} buckets: take a longer one`);
    }
    const named = new Set<string>(aggregates.split(','));
    const request = {
      ...span,
      series: seriesOf(series).map((name) => this.#asked(name)),
      bucket,
      time_zone: this.#options.timeZone(),
      aggregates: aggregateNames.filter((name: AggregateName) => named.has(name)),
    };
    return this.#options.reader.aggregate(request, signal);
  }

  /** CSV of all samples, read a page at a time, and the name of its file. Throws `invalid_field` at once. */
  csv(query: Query<'csv'>, signal: AbortSignal): { name: string; text: AsyncIterable<string> } {
    const { siteName, timeZone, reader } = this.#options;
    const span = this.#span(query);
    const series = seriesOf(query.series);
    const outputs = outputsOf(query.outputs);
    const { earlier_s } = query;
    const names = [...this.#columnNames(series, earlier_s), ...outputs.map((one) => this.#outputName(one))];
    const form = csvForm(query, names, timeZone());
    // What comes beside the series brings lines of its own: as many again.
    const columns = names.length > series.length ? 2 * names.length : names.length;
    const request = { series, columns, from_ms: span.from_ms, to_ms: span.to_ms };
    const sampled =
      earlier_s === undefined
        ? this.#pages(request, signal)
        : besideEarlier((part) => reader.exportPage(part, signal), request, earlier_s * 1000);
    const pages = this.#withStates(sampled, { outputs, span }, signal);
    return { name: `${spanFileName(siteName(), span, timeZone())}.csv`, text: measurementCsv(form, pages) };
  }

  /**
   * Sends a sample to the daemon, the only writer. Throws `unknown_reference` for a series that no input measures,
   * `invalid_field` for a time in the future, `daemon_unreachable`, `command_failed` or `command_unknown`.
   */
  async create(actor: Actor, sent: BodyOf<typeof measurementEndpoints.create>): Promise<DatedValue> {
    const { batches, clock, audit } = this.#options;
    const { device_id, measurement_id } = sent;
    const configured = this.#options.inputs.seriesOf(device_id, measurement_id);
    if (configured === undefined)
      throw refusePlainly('unknown_reference', 'measurement_id', 'is measured by no such input');
    const timeMs = sent.time === undefined ? clock() : epochOf(sent.time);
    if (timeMs > clock() + clockErrorMs) throw refusePlainly('invalid_field', 'time', 'lies in the future');
    const sample: LastValue = {
      device_id,
      measurement_id,
      ...configured,
      time_ms: timeMs,
      value: sent.value,
      quality: sent.quality ?? 'good',
    };
    const note = (): void =>
      audit.record({ kind: 'measurement.create', actor, target: measurement_id, after: dated(sample) });
    await batches.add(sample, note).catch((error: unknown) => {
      throw commandFailure(error);
    });
    return dated(sample);
  }

  async *#pages(request: ExportRequest, signal: AbortSignal): AsyncGenerator<ExportPage> {
    for (let fromMs: number | null = request.from_ms; fromMs !== null;) {
      const page: ExportPage = await this.#options.reader.exportPage({ ...request, from_ms: fromMs }, signal);
      yield page;
      fromMs = page.next_ms;
    }
  }

  #withStates(
    pages: AsyncIterable<ExportPage>,
    { outputs, span }: { outputs: readonly OutputName[]; span: Span },
    signal: AbortSignal,
  ): AsyncIterable<ExportPage> {
    if (outputs.length === 0) return pages;
    const { reader, clock } = this.#options;
    const asked = { now_ms: clock(), limit: heldStates };
    const read = (part: Span): Promise<StateInterval[][]> =>
      Promise.all(outputs.map((one) => reader.states({ ...one, ...part, ...asked }, signal)));
    return withStates(pages, { read, limit: heldStates, mostCells }, span);
  }

  /** Of the series, with their houses where they would be called the same, and of the same earlier. */
  #columnNames(series: readonly SeriesName[], earlier_s: number | undefined): string[] {
    const names = series.map((one) => this.#columnName(one));
    // Devices of two houses often have the same names.
    const isTwice = (name: string): boolean => names.indexOf(name) !== names.lastIndexOf(name);
    const usual = series.map((one, index) => {
      const name = names[index] ?? '';
      return isTwice(name) ? `${this.#houseOf(one)} ${name}`.trim() : name;
    });
    return earlier_s === undefined ? usual : [...usual, ...usual.map((name) => `${name} ${earlier_s} s earlier`)];
  }

  /** As `#columnName`. */
  #outputName({ device_id, channel }: OutputName): string {
    const output = this.#options.outputs.get(device_id);
    const name = output?.channels.find((one) => one.channel === channel)?.name;
    return output === undefined || name === undefined ? `${device_id}/${channel}` : `${output.name} ${name} (%)`;
  }

  /** The name that people use, with the unit; the identifier when the device is gone. */
  #columnName({ device_id, measurement_id }: SeriesName): string {
    const device = this.#options.measured.get(device_id);
    const channel = device?.channels.find((one) => one.measurement_id === measurement_id);
    return device && channel ? `${device.name} ${channel.name} (${channel.unit})` : measurement_id;
  }

  /** The name of the one house that goes by it, else nothing. */
  #houseOf({ device_id, measurement_id }: SeriesName): string {
    const [house, ...more] = this.#options.facilities
      .list()
      .filter(({ sensors }) =>
        sensors.some((one) => one.device_id === device_id && one.measurement_id === measurement_id),
      );
    return house === undefined || more.length > 0 ? '' : house.name;
  }

  async #trend(
    names: readonly SeriesName[],
    request: Span & Drawing & { ends_now?: boolean; is_single: boolean },
    signal: AbortSignal,
  ): Promise<Buffer> {
    const { points = mostPoints, gap_s: given_s, from_ms, to_ms, ends_now = false, is_single } = request;
    const periodOf = ({ device_id }: SeriesName) => this.#options.measured.get(device_id)?.period_s;
    const series = names.map((name) => ({
      ...this.#asked(name),
      gap_ms: (given_s ?? gap_s(periodOf(name))) * 1000,
      spoken: this.#spoken(name, request.unit),
    }));
    return this.#options.reader.trend({ series, from_ms, to_ms, ends_now, max_points: points, is_single }, signal);
  }

  /** Throws `invalid_field` for a unit that the measurement does not have. */
  #spoken(series: SeriesName, unit: string | undefined): SpokenUnit | undefined {
    if (unit === undefined) return undefined;
    const measurement = this.#options.measured.series(series)?.measurement;
    const conversion = measurement && this.#options.units.conversion(measurement, unit);
    if (conversion === undefined) throw refusePlainly('invalid_field', 'unit', 'is none that this is measured in');
    return { unit, factor: conversion.factor, offset: conversion.offset };
  }

  #asked({ device_id, measurement_id }: SeriesName): AskedSeries {
    const { inputs, measured } = this.#options;
    const found = inputs.seriesOf(device_id, measurement_id) ?? measured.series({ device_id, measurement_id });
    const configured = found === undefined ? null : { channel: found.channel, unit: found.unit };
    return { device_id, measurement_id, configured };
  }

  #span({ from, to }: { from: Moment; to?: Moment | undefined }): Span & { ends_now: boolean } {
    const fromMs = epochOf(from);
    const toMs = to === undefined ? this.#options.clock() : epochOf(to);
    if (toMs <= fromMs) throw refuseField('invalid_field', 'to', why('to_not_after_from'));
    return { from_ms: fromMs, to_ms: toMs, ends_now: to === undefined };
  }
}

/** Reads `device_id/measurement_id`, separated by commas, in lower case. */
function seriesOf(text = ''): SeriesName[] {
  return pairsOf(text).map(([device_id, measurement_id]) => ({ device_id, measurement_id }));
}

interface OutputName {
  device_id: string;
  channel: number;
}

function outputsOf(text = ''): OutputName[] {
  return pairsOf(text).map(([device_id, channel]) => ({ device_id, channel: Number(channel) }));
}

function pairsOf(text: string): (readonly [string, string])[] {
  return text.split(',').flatMap((pair) => {
    const [one = '', other] = pair.split('/');
    return other === undefined ? [] : [[one, other] as const];
  });
}
