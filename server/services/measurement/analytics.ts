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
import { photonFlux } from '../../domain/analytics/light-sum.ts';
import { energyOfRating_kwh } from '../../domain/analytics/state-time.ts';
import { gap_s } from '../../domain/series/gap.ts';
import type { Span } from '../../domain/series/resolution.ts';
import type {
  AmountSum,
  Daily,
  DailySpan,
  HeldSeries,
  MeasurementReader,
  SeriesName,
} from '../../measurement/reader.ts';

type Endpoints = typeof measurementAnalyticsEndpoints;
type Query<Name extends keyof Endpoints> = QueryOf<Endpoints[Name]>;
type Answer<Name extends keyof Endpoints> = AnswerOf<Endpoints[Name]>;

interface AnalyticsOptions {
  reader: Pick<MeasurementReader, 'last' | 'amounts' | 'metered' | 'bandTimes' | 'stateTimes' | 'states' | 'switches'>;
  measured: Pick<MeasuredDevices, 'get'>;
  outputs: Pick<OutputRepository, 'get'>;
  facilities: Pick<FacilityRepository, 'usersOf' | 'get'>;
  clock: Now;
  /** IANA time zone of the site. */
  timeZone: () => string;
}

const longestSpanMs = 3660 * 86_400_000;
const listedStates = 2000;
const listedSwitches = 200;
const powerUnits = ['W', 'kW'];
const counterUnits = ['kWh', 'm3', ''];
/** A year of an output that switches every minute; more would keep other queries waiting. */
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
    const { reader, clock } = this.#options;
    const asked = { device_id, channel, ...this.#span(query), now_ms: clock(), limit: listedStates + 1 };
    const found = await reader.states(asked, signal);
    this.#refuseUnknown(query, found.length);
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
    this.#refuseUnknown(query, found.length);
    const switches = found.slice(0, limit).map((one) => ({ ...one, at: isoOf(one.at_ms) }));
    return { device_id, channel, switches, is_complete: found.length <= limit };
  }

  /** Throws `not_found`, `invalid_field`, like all that follow. */
  async degreeTime(
    { base_c, upper_c, ...query }: Query<'degreeTime'>,
    signal: AbortSignal,
  ): Promise<Answer<'degreeTime'>> {
    if (upper_c !== undefined && upper_c <= base_c)
      throw refusePlainly('invalid_field', 'upper_c', 'must be above base_c');
    const sum = { kind: 'degree_hours', base_c, upper_c } as const;
    const { time_zone, sums } = await this.#amounts(query, { sum, units: ['C'], span: this.#span(query) }, signal);
    return byDay(time_zone, sums, ({ amount: degree_hours, covered_s }) => {
      return { degree_hours, degree_days: degree_hours / 24, covered_s };
    });
  }

  async lightSum(
    { light_source: source = 'daylight', ...query }: Query<'lightSum'>,
    signal: AbortSignal,
  ): Promise<Answer<'lightSum'>> {
    const units = ['W/m2', 'lx', 'klx', 'umol/m2/s'];
    const asked = { sum: { kind: 'light', source }, units, span: this.#span(query) } as const;
    const { time_zone, sums, unit } = await this.#amounts(query, asked, signal);
    const umol_m2_s_per_unit = photonFlux(unit, source) ?? NaN; // of a unit that was just checked
    const days = byDay(time_zone, sums, ({ amount, covered_s }) => ({ light_sum_mol_m2: amount, covered_s }));
    return { unit, umol_m2_s_per_unit, ...days };
  }

  async deficitTime(query: Query<'deficitTime'>, signal: AbortSignal): Promise<Answer<'deficitTime'>> {
    const { low_kpa, high_kpa } = query;
    if (high_kpa <= low_kpa) throw refusePlainly('invalid_field', 'high_kpa', 'must be above low_kpa');
    const span = this.#daily(this.#span(query));
    const [temperature, humidity] = [nameOf(query.temperature), nameOf(query.humidity)];
    const held = { temperature: this.#held(temperature), humidity: this.#held(humidity) };
    const { units, ...sums } = await this.#options.reader.bandTimes({ ...held, ...span, low_kpa, high_kpa }, signal);
    this.#checkUnit(temperature, units.temperature, { allowed: ['C'], path: 'temperature' });
    this.#checkUnit(humidity, units.humidity, { allowed: ['%'], path: 'humidity' });
    return byDay(span.time_zone, sums, (time) => time);
  }

  async stateTime(query: Query<'stateTime'>, signal: AbortSignal): Promise<Answer<'stateTime'>> {
    const { time_zone, sums } = await this.#stateTimes(query, signal);
    return byDay(time_zone, sums, (time) => time);
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
    const { time_zone, sums } = await this.#stateTimes(query, signal);
    const energies = byDay(time_zone, sums, (time) => {
      const covered_s = time.on_s + time.off_s;
      return { ...priced(query, energyOfRating_kwh(time, rating_kw), null), covered_s };
    });
    return { method: 'rating', rating_kw, meter: null, ...energies };
  }

  async #metered(query: Query<'energy'>, meter: MeterBinding, signal: AbortSignal): Promise<Answer<'energy'>> {
    const { device_id, measurement_id } = meter;
    const series = { device_id, measurement_id };
    const unit = (await this.#options.reader.last(series))?.unit ?? this.#unitOf(series);
    if (unit !== undefined && counterUnits.includes(unit)) return this.#counted(query, { ...meter, unit }, signal);
    if (unit !== undefined && !powerUnits.includes(unit)) {
      throw refusePlainly('invalid_field', 'measurement_id', `is in ${unit}: no power, energy, volume or count`);
    }
    const asked = { sum: { kind: 'energy' }, units: powerUnits, span: this.#span(query) } as const;
    const power = await this.#amounts(series, asked, signal);
    const energies = byDay(power.time_zone, power.sums, ({ amount, covered_s }) => {
      return { ...priced(query, amount, null), covered_s };
    });
    const read = { ...series, unit: power.unit, kwh_per_unit: null, restarts: null };
    return { method: 'meter', rating_kw: null, meter: read, ...energies };
  }

  async #counted(
    query: Query<'energy'>,
    { unit, kwh_per_unit: bound, ...series }: MeterBinding & { unit: string },
    signal: AbortSignal,
  ): Promise<Answer<'energy'>> {
    const span = this.#daily(this.#span(query));
    const kwh_per_unit = query.kwh_per_unit ?? bound ?? (unit === 'kWh' ? 1 : undefined);
    if (kwh_per_unit === undefined) {
      throw refuseField('invalid_field', 'kwh_per_unit', why('kwh_needed', { measurement: unit || 'pulses' }));
    }
    const { gap_ms } = this.#held(series);
    const most_per_s = this.#fastest(query, kwh_per_unit);
    const { restarts, ...sums } = await this.#options.reader.metered({ series, gap_ms, most_per_s, ...span }, signal);
    const energies = byDay(span.time_zone, sums, ({ amount, covered_s }) => {
      return { ...priced(query, amount * kwh_per_unit, amount), covered_s };
    });
    return { method: 'meter', rating_kw: null, meter: { ...series, unit, kwh_per_unit, restarts }, ...energies };
  }

  /** The fastest possible rise of an output's meter, units a second: well above the rating, which is nominal. */
  #fastest(query: Query<'energy'>, kwh_per_unit: number): number | undefined {
    const rating_kw = query.rating_kw ?? this.#bound(query).find((one) => one.rating_kw !== undefined)?.rating_kw;
    if (rating_kw === undefined || rating_kw === 0 || kwh_per_unit === 0) return undefined;
    return (ratingMargin * rating_kw) / kwh_per_unit / 3600;
  }

  /** Sums a series in one of the units. */
  async #amounts(
    { device_id, measurement_id }: SeriesName,
    { sum, units, span }: { sum: AmountSum; units: readonly string[]; span: Span },
    signal: AbortSignal,
  ) {
    const { time_zone, ...limits } = this.#daily(span);
    const series = this.#held({ device_id, measurement_id });
    const { unit, ...sums } = await this.#options.reader.amounts({ series, sum, time_zone, ...limits }, signal);
    return { time_zone, sums, unit: this.#checkUnit(series, unit, { allowed: units, path: 'measurement_id' }) };
  }

  async #stateTimes(query: Query<'stateTime'>, signal: AbortSignal) {
    const { device_id, channel = 0 } = query;
    const { reader, clock } = this.#options;
    const span = this.#daily(this.#span(query));
    const asked = { device_id, channel, ...span, now_ms: clock(), limit: countedStates };
    const { count, ...sums } = await reader.stateTimes(asked, signal);
    if (count >= countedStates) throw refuseField('invalid_field', 'from', why('too_many_changes'));
    this.#refuseUnknown(query, count);
    return { time_zone: span.time_zone, sums };
  }

  /** A series with how long its values hold. */
  #held(series: SeriesName): HeldSeries {
    const period_s = this.#options.measured.get(series.device_id)?.period_s;
    return { ...series, gap_ms: gap_s(period_s) * 1000, period_ms: (period_s ?? 0) * 1000 };
  }

  #daily(span: Span): DailySpan {
    return { ...span, time_zone: this.#options.timeZone() };
  }

  /** The unit of a series; the stored one is null when it has no measurement yet. */
  #checkUnit(
    series: SeriesName,
    stored: string | null,
    { allowed, path }: { allowed: readonly string[]; path: string },
  ): string {
    const unit = stored ?? this.#unitOf(series);
    if (unit === undefined) throw new Refusal('not_found', `${path} is no series`);
    if (!allowed.includes(unit))
      throw refusePlainly('invalid_field', path, `is in ${unit}, not in ${allowed.join(' or ')}`);
    return unit;
  }

  /** Unit of a configured series that has no measurement yet. */
  #unitOf({ device_id, measurement_id }: SeriesName): string | undefined {
    const channels = this.#options.measured.get(device_id)?.channels ?? [];
    return channels.find((one) => one.measurement_id === measurement_id)?.unit;
  }

  #refuseUnknown({ device_id, channel = 0 }: Pick<Query<'states'>, 'device_id' | 'channel'>, found: number): void {
    const isKnown = this.#options.outputs.get(device_id)?.channels.some((one) => one.channel === channel);
    if (found === 0 && isKnown !== true) throw new Refusal('not_found', 'no such output channel');
  }

  /** Bindings of the output in facilities; one without a channel means the lowest. */
  #bound({ device_id, channel = 0 }: Query<'energy'>): ActuatorBinding[] {
    const { facilities, outputs } = this.#options;
    const lowest = Math.min(...(outputs.get(device_id)?.channels ?? []).map((one) => one.channel));
    const houses = facilities.usersOf(device_id).map(({ unique_id }) => facilities.get(unique_id)?.facility);
    const actuators = houses.flatMap((house) => house?.actuators ?? []);
    return actuators.filter((one) => one.device_id === device_id && (one.channel ?? lowest) === channel);
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

/** A sum as the contract names it, of the whole span and of each day. */
function byDay<Sum, Named extends object>(time_zone: string, { whole, days }: Daily<Sum>, named: (sum: Sum) => Named) {
  return { time_zone, ...named(whole), days: days.map((day) => ({ date: day.date, ...named(day) })) };
}

function nameOf(pair: string): SeriesName {
  const [device_id = '', measurement_id = ''] = pair.split('/');
  return { device_id, measurement_id };
}
