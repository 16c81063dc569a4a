import { bandTime, type BandTime } from '../../domain/analytics/band-time.ts';
import { degreeHours } from '../../domain/analytics/degree-time.ts';
import { lightSum_mol_m2, photonFlux } from '../../domain/analytics/light-sum.ts';
import { meterSteps, readingsOf, type MeterReadings } from '../../domain/analytics/meter.ts';
import { stateTime, stateTimes, type StateTime } from '../../domain/analytics/state-time.ts';
import { covered_s, heldSteps, integral, overlap, splitAt, type Step } from '../../domain/analytics/step.ts';
import { vapourDeficit_kpa } from '../../domain/climate/air.ts';
import { bucketLimits, dateIn } from '../../domain/series/calendar.ts';
import { rowWidthMs, wholeRows, type Span } from '../../domain/series/resolution.ts';
import type {
  Amount,
  AmountsRequest,
  AmountSum,
  BandTimesRequest,
  DailySpan,
  Daily,
  HeldSeries,
  MeteredRequest,
  SeriesName,
  StateTimesRequest,
} from '../reader.ts';
import { stopWhenCancelled, type CancelFlag } from './cancelling.ts';
import type { FollowedFile } from './followed-file.ts';
import { means, states, summedBy } from './read-tasks.ts';

/** The tasks that sum measurements by the days of the site: what they read is long, what they return is short. */
export const sumTasks = { amounts, metered, bandTimes, stateTimesByDay };

function amounts(
  file: FollowedFile,
  { series, sum, ...asked }: AmountsRequest,
  flag: CancelFlag,
): Daily<Amount> & { unit: string | null } {
  const { unit, steps } = stepsOf(file, series, { span: asked, flag });
  const amountOf = amountIn(unit ?? '', sum);
  const ofSteps = (part: readonly Step[]): Amount => ({ amount: amountOf(part), covered_s: covered_s(part) });
  return { unit, ...stepsByDay(asked, steps, ofSteps) };
}

/** Of a series in another unit than it is for, the sum is NaN. */
function amountIn(unit: string, sum: AmountSum): (steps: readonly Step[]) => number {
  if (sum.kind === 'degree_hours') return (steps) => degreeHours(steps, sum);
  if (sum.kind === 'light') return (steps) => lightSum_mol_m2(steps, photonFlux(unit, sum.source) ?? NaN);
  const perKw = unit === 'W' ? 1000 : 1;
  return (steps) => integral(steps, (power) => power / perKw) / 3600;
}

/** What passed while the counter was not read is in the amount, spread evenly over that time, not in `covered_s`. */
function metered(
  file: FollowedFile,
  { series, gap_ms, most_per_s, ...asked }: MeteredRequest,
  flag: CancelFlag,
): Daily<Amount> & { restarts: number } {
  const widthMs = rowWidthMs[summedBy(asked)];
  const steps = meterSteps(counterOf(file, series, { span: asked, flag }), { most_per_s });
  const isHeard = ({ from_ms, to_ms }: Step): boolean => to_ms - from_ms <= Math.max(gap_ms, widthMs);
  const heard = steps.map((step) => ({ ...step, isHeard: isHeard(step) }));
  const restarts = steps.filter(({ isRestart, to_ms }) => isRestart && to_ms >= asked.from_ms && to_ms < asked.to_ms);
  stopWhenCancelled(flag);
  const sums = stepsByDay(asked, heard, (part) => ({
    amount: integral(part, (rate) => rate),
    covered_s: covered_s(part.filter((one) => one.isHeard)),
  }));
  return { restarts: restarts.length, ...sums };
}

function bandTimes(
  file: FollowedFile,
  { temperature, humidity, low_kpa: low, high_kpa: high, ...asked }: BandTimesRequest,
  flag: CancelFlag,
): Daily<BandTime & { covered_s: number }> & { units: Record<'temperature' | 'humidity', string | null> } {
  const warm = stepsOf(file, temperature, { span: asked, flag });
  const humid = stepsOf(file, humidity, { span: asked, flag });
  const deficit_kpa = overlap(warm.steps, humid.steps, vapourDeficit_kpa);
  stopWhenCancelled(flag);
  const sums = stepsByDay(asked, deficit_kpa, (part) => ({
    ...bandTime(part, { low, high }),
    covered_s: covered_s(part),
  }));
  return { units: { temperature: warm.unit, humidity: humid.unit }, ...sums };
}

function stateTimesByDay(
  file: FollowedFile,
  { time_zone, ...asked }: StateTimesRequest,
  flag: CancelFlag,
): Daily<StateTime> & { count: number } {
  const intervals = states(file, asked, flag);
  const limits = dayLimits({ ...asked, time_zone });
  const parts = stateTimes(intervals, limits);
  return { count: intervals.length, whole: stateTime(intervals, asked), days: dated(limits, parts, time_zone) };
}

/** None, and no unit, of an unknown series. */
function stepsOf(
  file: FollowedFile,
  { gap_ms: hold_ms, period_ms, ...series }: HeldSeries,
  { span, flag }: { span: Span; flag: CancelFlag },
): { unit: string | null; steps: Step[] } {
  const found = means(file, { series, from_ms: span.from_ms, to_ms: span.to_ms }, flag);
  stopWhenCancelled(flag);
  if (found === null) return { unit: null, steps: [] };
  return { unit: found.unit, steps: heldSteps(found, { hold_ms, period_ms, to_ms: span.to_ms }) };
}

/** In order of time; includes the newest reading before the span and the oldest after it. */
function counterOf(
  file: FollowedFile,
  series: SeriesName,
  { span, flag }: { span: Span; flag: CancelFlag },
): MeterReadings {
  const resolution = summedBy(span);
  return file.read((rows) => {
    const [times, values]: [number[], number[]] = [[], []];
    const row = rows.find(series);
    if (row === undefined) return { times, values };
    const wider = rows.withNeighbours(row.id, wholeRows(span, resolution), resolution);
    for (const chunk of rows.stretches(row.id, wider, resolution)) {
      stopWhenCancelled(flag);
      for (const [time_ms, value] of chunk.flatMap(readingsOf)) {
        times.push(time_ms);
        values.push(value);
      }
    }
    return { times, values };
  });
}

function stepsByDay<Kind extends Step, Sum extends object>(
  span: DailySpan,
  steps: readonly Kind[],
  sum: (steps: readonly Kind[]) => Sum,
): Daily<Sum> {
  const limits = dayLimits(span);
  const whole = sum(splitAt(steps, [span.from_ms, span.to_ms])[0] ?? []);
  return { whole, days: dated(limits, splitAt(steps, limits).map(sum), span.time_zone) };
}

/** The ends of the span and the midnights between. */
function dayLimits({ time_zone, ...span }: DailySpan): number[] {
  const midnights = bucketLimits(span, 'day', time_zone).slice(1, -1);
  return [span.from_ms, ...midnights, span.to_ms];
}

function dated<Sum extends object>(limits: readonly number[], parts: readonly Sum[], time_zone: string) {
  return parts.map((part, index) => ({ date: dateIn(limits[index] ?? 0, time_zone), ...part }));
}
