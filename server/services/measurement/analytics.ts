import type { Now } from '../../auth/now.ts';
import type { AnswerOf, QueryOf } from '../../contract/endpoint.ts';
import { Refusal, refuseField, refusePlainly } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type { ActuatorBinding, MeterBinding } from '../../contract/facility-binding.ts';
import { epochOf, isoOf, type Moment } from '../../contract/time.ts';
import type { measurementAnalyticsEndpoints } from '../../contract/measurement-analytics.ts';
import type { FacilityRepository } from '../../db/repositories/facility.ts';
import type { MeasuredDevices } from '../../domain/control/measured-devices.ts';
import type { OutputRepository } from '../../db/repositories/output.ts';
import { bandTime } from '../../domain/analytics/band-time.ts';
import { degreeHours } from '../../domain/analytics/degree-time.ts';
import { lightSum_mol_m2, photonFlux } from '../../domain/analytics/light-sum.ts';
import { meterSteps } from '../../domain/analytics/meter.ts';
import {
  energyOfRating_kwh,
  stateTime,
  stateTimes,
  type StateInterval,
  type StateTime,
} from '../../domain/analytics/state-time.ts';
import { covered_s, heldSteps, integral, overlap, splitAt, type Step } from '../../domain/analytics/step.ts';
import { vapourDeficit_kpa } from '../../domain/climate/air.ts';
import { bucketLimits, dateIn } from '../../domain/series/calendar.ts';
import { gap_s } from '../../domain/series/gap.ts';
import type { Span } from '../../domain/series/resolution.ts';
import type { MeasurementReader, SeriesName } from '../../measurement/reader.ts';

type Endpoints = typeof measurementAnalyticsEndpoints;
type Query<Name extends keyof Endpoints> = QueryOf<Endpoints[Name]>;
type Answer<Name extends keyof Endpoints> = AnswerOf<Endpoints[Name]>;

interface AnalyticsOptions {
  reader: Pick<MeasurementReader, 'last' | 'means' | 'counter' | 'states' | 'switches'>;
  measured: Pick<MeasuredDevices, 'get'>;
  outputs: Pick<OutputRepository, 'get'>;
  facilities: Pick<FacilityRepository, 'list'>;
  clock: Now;
  /** IANA time zone of the site. */
  timeZone: () => string;
}

/** A series over a span, with what the sums by day need. */
interface ReadSteps {
  unit: string;
  steps: Step[];
}

const longestSpanMs = 3660 * 86_400_000;
const listedStates = 2000;
const listedSwitches = 200;
const powerUnits = ['W', 'kW'];
const counterUnits = ['kWh', 'm3', ''];
/** A year of an output that switches every minute; passing more to the server would block it. */
const countedStates = 500_000;
/** A rise faster than this many times the rating is an error of the meter, which other loads may share. */
const ratingMargin = 10;

/** Evaluates measurements: sums, times in bands and states, energy. By the days of the site. */
export class AnalyticsService {
  readonly #options: AnalyticsOptions;

  constructor(options: AnalyticsOptions) {
    this.#options = options;
  }

  /** When an output was in which state, the newest 2000. Throws `not_found`, `invalid_field`. */
  async states(query: Query<'states'>, signal: AbortSignal): Promise<Answer<'states'>> {
    const { device_id, channel = 0 } = query;
    const found = await this.#states(query, listedStates + 1, signal);
    const states = found
      .slice(-listedStates)
      .map((one) => ({ ...one, from: isoOf(one.from_ms), to: isoOf(one.to_ms) }));
    return { device_id, channel, states, is_complete: found.length <= listedStates };
  }

  /** When an output was switched and why, newest first. Throws `not_found`, `invalid_field`. */
  async switches(query: Query<'switches'>, signal: AbortSignal): Promise<Answer<'switches'>> {
    const { device_id, channel = 0, limit = listedSwitches } = query;
    const asked = { device_id, channel, ...this.#span(query), limit: limit + 1 };
    const found = await this.#options.reader.switches(asked, signal);
    this.#refuseUnknown(query, found);
    const switches = found.slice(0, limit).map((one) => ({ ...one, at: isoOf(one.at_ms) }));
    return { device_id, channel, switches, is_complete: found.length <= limit };
  }

  /** Throws `not_found`, `invalid_field`, like all that follow. */
  async degreeTime(
    { base_c, upper_c, ...query }: Query<'degreeTime'>,
    signal: AbortSignal,
  ): Promise<Answer<'degreeTime'>> {
    const span = this.#span(query);
    if (upper_c !== undefined && upper_c <= base_c)
      throw refusePlainly('invalid_field', 'upper_c', 'must be above base_c');
    const { steps } = await this.#steps(query, { span, units: ['C'], path: 'measurement_id' }, signal);
    return this.#byDay(span, steps, (part) => {
      const degree_hours = degreeHours(part, { base_c, upper_c });
      return { degree_hours, degree_days: degree_hours / 24, covered_s: covered_s(part) };
    });
  }

  async lightSum(
    { light_source = 'daylight', ...query }: Query<'lightSum'>,
    signal: AbortSignal,
  ): Promise<Answer<'lightSum'>> {
    const span = this.#span(query);
    const units = ['W/m2', 'lx', 'klx', 'umol/m2/s'];
    const { steps, unit } = await this.#steps(query, { span, units, path: 'measurement_id' }, signal);
    const flux = photonFlux(unit, light_source) ?? NaN; // of a unit that was just checked
    const sums = this.#byDay(span, steps, (part) => ({
      light_sum_mol_m2: lightSum_mol_m2(part, flux),
      covered_s: covered_s(part),
    }));
    return { unit, umol_m2_s_per_unit: flux, ...sums };
  }

  async deficitTime(query: Query<'deficitTime'>, signal: AbortSignal): Promise<Answer<'deficitTime'>> {
    const { low_kpa: low, high_kpa: high } = query;
    if (high <= low) throw refusePlainly('invalid_field', 'high_kpa', 'must be above low_kpa');
    const span = this.#span(query);
    const [temperature, humidity] = await Promise.all([
      this.#steps(nameOf(query.temperature), { span, units: ['C'], path: 'temperature' }, signal),
      this.#steps(nameOf(query.humidity), { span, units: ['%'], path: 'humidity' }, signal),
    ]);
    const deficit_kpa = overlap(temperature.steps, humidity.steps, vapourDeficit_kpa);
    return this.#byDay(span, deficit_kpa, (part) => ({ ...bandTime(part, { low, high }), covered_s: covered_s(part) }));
  }

  async stateTime(query: Query<'stateTime'>, signal: AbortSignal): Promise<Answer<'stateTime'>> {
    const span = this.#span(query);
    const intervals = await this.#states(query, countedStates, signal);
    return this.#ofStates(span, intervals, (time) => time);
  }

  /** By the given meter, or the one that a facility binds to the output, else by the output's rating and on-time. */
  async energy(query: Query<'energy'>, signal: AbortSignal): Promise<Answer<'energy'>> {
    const { device_id, measurement_id } = query;
    if (measurement_id !== undefined) return this.#metered(query, { device_id, measurement_id }, signal);
    const bound = this.#bound(query);
    const meter = bound.find((one) => one.meter !== undefined)?.meter;
    if (meter !== undefined && query.rating_kw === undefined) return this.#metered(query, meter, signal);
    const rating_kw = query.rating_kw ?? bound.find((one) => one.rating_kw !== undefined)?.rating_kw;
    if (rating_kw === undefined) {
      throw refuseField('invalid_field', 'rating_kw', why('rating_unknown'));
    }
    const span = this.#span(query);
    const intervals = await this.#states(query, countedStates, signal);
    const sums = this.#ofStates(span, intervals, (time) => {
      const covered_s = time.on_s + time.off_s;
      return { ...priced(query, energyOfRating_kwh(time, rating_kw), null), covered_s };
    });
    return { method: 'rating', rating_kw, meter: null, ...sums };
  }

  async #metered(query: Query<'energy'>, meter: MeterBinding, signal: AbortSignal): Promise<Answer<'energy'>> {
    const { device_id, measurement_id } = meter;
    const series = { device_id, measurement_id };
    const unit = (await this.#options.reader.last(series))?.unit ?? this.#unitOf(series);
    if (unit !== undefined && counterUnits.includes(unit)) return this.#counted(query, { ...meter, unit }, signal);
    if (unit !== undefined && !powerUnits.includes(unit)) {
      throw refusePlainly('invalid_field', 'measurement_id', `is in ${unit}: no power, energy, volume or count`);
    }
    const span = this.#span(query);
    const power = await this.#steps(series, { span, units: powerUnits, path: 'measurement_id' }, signal);
    const perKw = power.unit === 'W' ? 1000 : 1;
    const sums = this.#byDay(span, power.steps, (part) => {
      const energy_kwh = integral(part, (value) => value / perKw) / 3600;
      return { ...priced(query, energy_kwh, null), covered_s: covered_s(part) };
    });
    return {
      method: 'meter',
      rating_kw: null,
      meter: { ...series, unit: power.unit, kwh_per_unit: null, restarts: null },
      ...sums,
    };
  }

  /**
   * What passed while the counter was not read is in the sums, spread evenly over that time, and not in `covered_s`.
   */
  async #counted(
    query: Query<'energy'>,
    { unit, kwh_per_unit: bound, ...series }: MeterBinding & { unit: string },
    signal: AbortSignal,
  ): Promise<Answer<'energy'>> {
    const span = this.#span(query);
    const kwh_per_unit = query.kwh_per_unit ?? bound ?? (unit === 'kWh' ? 1 : undefined);
    if (kwh_per_unit === undefined) {
      throw refuseField('invalid_field', 'kwh_per_unit', why('kwh_needed', { measurement: unit || 'pulses' }));
    }
    const read = await this.#options.reader.counter({ series, ...span }, signal);
    const heardMs = Math.max(gap_s(this.#options.measured.get(series.device_id)?.period_s) * 1000, read?.width_ms ?? 0);
    const most_per_s = this.#fastest(query, kwh_per_unit);
    const steps = read === null ? [] : meterSteps(read, { most_per_s });
    const told = steps.map((step) => ({ ...step, isHeard: step.to_ms - step.from_ms <= heardMs }));
    const sums = this.#byDay(span, told, (part) => {
      const metered = integral(part, (rate) => rate);
      const heard = part.filter(({ isHeard }) => isHeard);
      return { ...priced(query, metered * kwh_per_unit, metered), covered_s: covered_s(heard) };
    });
    const restarts = steps.filter(
      ({ isRestart, to_ms }) => isRestart && to_ms >= span.from_ms && to_ms < span.to_ms,
    ).length;
    return { method: 'meter', rating_kw: null, meter: { ...series, unit, kwh_per_unit, restarts }, ...sums };
  }

  /** The fastest possible rise of an output's meter, units a second: well above the rating, which is nominal. */
  #fastest(query: Query<'energy'>, kwh_per_unit: number): number | undefined {
    const rating_kw = query.rating_kw ?? this.#bound(query).find((one) => one.rating_kw !== undefined)?.rating_kw;
    if (rating_kw === undefined || rating_kw === 0 || kwh_per_unit === 0) return undefined;
    return (ratingMargin * rating_kw) / kwh_per_unit / 3600;
  }

  async #steps(
    series: SeriesName,
    { span, units, path }: { span: Span; units: readonly string[]; path: string },
    signal: AbortSignal,
  ): Promise<ReadSteps> {
    const means = await this.#options.reader.means({ series: { ...series }, ...span }, signal);
    const unit = means?.unit ?? this.#unitOf(series);
    if (unit === undefined) throw new Refusal('not_found', `${path} is no series`);
    if (!units.includes(unit))
      throw refusePlainly('invalid_field', path, `is in ${unit}, not in ${units.join(' or ')}`);
    const period_s = this.#options.measured.get(series.device_id)?.period_s;
    const held = { hold_ms: gap_s(period_s) * 1000, period_ms: (period_s ?? 0) * 1000, to_ms: span.to_ms };
    return { unit, steps: means === null ? [] : heldSteps(means, held) };
  }

  /** Unit of a configured series that has no measurement yet. */
  #unitOf({ device_id, measurement_id }: SeriesName): string | undefined {
    const channels = this.#options.measured.get(device_id)?.channels ?? [];
    return channels.find((one) => one.measurement_id === measurement_id)?.unit;
  }

  async #states(query: Query<'states'>, limit: number, signal: AbortSignal): Promise<StateInterval[]> {
    const { device_id, channel = 0 } = query;
    const { reader, clock } = this.#options;
    const found = await reader.states({ device_id, channel, ...this.#span(query), now_ms: clock(), limit }, signal);
    if (found.length >= countedStates) throw refuseField('invalid_field', 'from', why('too_many_changes'));
    this.#refuseUnknown(query, found);
    return found;
  }

  #refuseUnknown(
    { device_id, channel = 0 }: Pick<Query<'states'>, 'device_id' | 'channel'>,
    found: readonly unknown[],
  ): void {
    const isKnown = this.#options.outputs.get(device_id)?.channels.some((one) => one.channel === channel);
    if (found.length === 0 && isKnown !== true) throw new Refusal('not_found', 'no such output channel');
  }

  /** Bindings of the output in facilities; one without a channel means the lowest. */
  #bound({ device_id, channel = 0 }: Query<'energy'>): ActuatorBinding[] {
    const { facilities, outputs } = this.#options;
    const lowest = Math.min(...(outputs.get(device_id)?.channels ?? []).map((one) => one.channel));
    const actuators = facilities.list().flatMap((facility) => facility.actuators);
    return actuators.filter((one) => one.device_id === device_id && (one.channel ?? lowest) === channel);
  }

  #byDay<Sum extends object, Kind extends Step>(
    span: Span,
    steps: readonly Kind[],
    sum: (steps: readonly Kind[]) => Sum,
  ) {
    const limits = this.#limits(span);
    const parts = splitAt(steps, limits);
    return this.#sums(limits, {
      whole: sum(splitAt(steps, [span.from_ms, span.to_ms])[0] ?? []),
      parts: parts.map(sum),
    });
  }

  #ofStates<Sum extends object>(span: Span, intervals: readonly StateInterval[], sum: (time: StateTime) => Sum) {
    const limits = this.#limits(span);
    return this.#sums(limits, {
      whole: sum(stateTime(intervals, span)),
      parts: stateTimes(intervals, limits).map(sum),
    });
  }

  #sums<Sum extends object>(limits: readonly number[], { whole, parts }: { whole: Sum; parts: readonly Sum[] }) {
    const time_zone = this.#options.timeZone();
    const days = parts.map((part, index) => ({ date: dateIn(limits[index] ?? 0, time_zone), ...part }));
    return { time_zone, ...whole, days };
  }

  /** The ends of the span and the midnights between. */
  #limits(span: Span): number[] {
    const midnights = bucketLimits(span, 'day', this.#options.timeZone()).slice(1, -1);
    return [span.from_ms, ...midnights, span.to_ms];
  }

  #span({ from, to }: { from: Moment; to?: Moment | undefined }): Span {
    const nowMs = this.#options.clock();
    const fromMs = epochOf(from);
    const toMs = Math.min(to === undefined ? nowMs : epochOf(to), nowMs); // nothing holds in the future
    if (toMs <= fromMs) throw refuseField('invalid_field', 'to', why('span_not_past'));
    if (toMs - fromMs > longestSpanMs) throw refusePlainly('invalid_field', 'from', 'must lie within ten years of to');
    return { from_ms: fromMs, to_ms: toMs };
  }
}

/** `metered` is the rise of a counting meter, null when nothing was counted. */
function priced({ price_per_kwh, price_per_unit }: Query<'energy'>, energy_kwh: number, metered: number | null) {
  if (price_per_unit !== undefined && metered !== null) return { energy_kwh, cost: metered * price_per_unit, metered };
  return { energy_kwh, cost: price_per_kwh === undefined ? null : energy_kwh * price_per_kwh, metered };
}

function nameOf(pair: string): SeriesName {
  const [device_id = '', measurement_id = ''] = pair.split('/');
  return { device_id, measurement_id };
}
