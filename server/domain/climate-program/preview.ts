import { Temporal } from 'temporal-polyfill';
import {
  setpointParts,
  type ClimatePreview,
  type ClimateSetpoint,
  type ClimateSetpointsNow,
} from '../../contract/climate-live.ts';
import { type ClimateProgram, setpointNames, type SetpointName } from '../../contract/climate-settings.ts';
import { sunPhotons_umol_j } from '../analytics/light-sum.ts';
import { sunDay, type Place } from '../solar/sun-day.ts';
import { dayPlan, type DayPlan } from './day-plan.ts';
import { foreseenBy, readingsIn, type ForecastWeather, type ForeseenWeather } from './foreseen.ts';
import { clamp } from './moment.ts';
import { periodsAt } from './program.ts';
import { setpointsOf, shiftsOf } from './setpoints.ts';
import { freshState } from './state.ts';

const stepMs = 300_000;
const step_s = stepMs / 1000;
const dayMs = 86_400_000;

interface Previewing {
  program: ClimateProgram;
  place: Place;
  from_ms: number;
  hours: number;
  /** The past shows the periods only: what shifted it then is unknown. */
  now_ms: number;
  /** The present parts of the setpoints; empty when unknown. */
  live: Partial<Record<SetpointName, Pick<ClimateSetpoint, 'parts'>>>;
  /** null or absent when there is none. */
  forecast?: ForecastWeather | null;
}

/**
 * The setpoints of some hours. Influences by outdoor values use the forecast, or typical weather where it has none;
 * what cannot be foreseen stays as it is now.
 */
export function climatePreviewOf(previewing: Previewing): ClimatePreview {
  const { program, place, from_ms, hours, forecast = null } = previewing;
  const plan = dayPlan(program, place);
  const count = Math.floor((hours * 3_600_000) / stepMs) + 1;
  const times = Array.from({ length: count }, (_, index) => from_ms + index * stepMs);
  const setpoints = setpointsAlong(times, plan, previewing);
  const columnOf = (name: SetpointName) => {
    const period = times.map((timeMs) => periodsAt(plan, timeMs)[name]);
    const values = setpoints.map((one) => one[name].value);
    const shift = values.map((value, index) => (value === null ? null : value - (period[index] ?? value)));
    return { values, period, shift, shares: sharesAlong(setpoints.map((one) => one[name])) };
  };
  return {
    times,
    periods: times.map((timeMs) => plan.periodAt(timeMs).name),
    setpoints: Object.fromEntries(setpointNames.map((name) => [name, columnOf(name)])) as ClimatePreview['setpoints'], // of every name
    forecast: forecast && {
      asked_at: new Date(forecast.asked_at_ms).toISOString(),
      until: Math.round(forecast.until_ms),
    },
    sun: sunWithin(place, from_ms, times.at(-1) ?? from_ms),
  };
}

type Shares = ClimatePreview['setpoints'][SetpointName]['shares'];

/** All parts but the period, each along the times. */
function sharesAlong(setpoints: readonly ClimateSetpoint[]): Shares {
  const shares = new Map<string, Shares[number]>();
  for (const [index, { parts }] of setpoints.entries()) {
    for (const { what, source, value } of parts) {
      if (what === 'period') continue;
      const key = source ?? what;
      const share = shares.get(key) ?? { what, source, values: setpoints.map(() => 0) };
      share.values[index] = (share.values[index] ?? 0) + value;
      shares.set(key, share);
    }
  }
  return [...shares.values()].toSorted((one, other) => rankOf(one.what) - rankOf(other.what));
}

const rankOf = (what: Shares[number]['what']): number => setpointParts.indexOf(what);

function setpointsAlong(
  times: readonly number[],
  plan: DayPlan,
  { program, place, now_ms, live, forecast = null }: Previewing,
): ClimateSetpointsNow[] {
  const { influences, overrides } = program;
  const mean = { ...freshState.mean, correction_k: correctionNow(live, program.mean_temperature) };
  let shifts = shiftsNow(influences, live);
  const weatherAt = foreseenBy(forecast, place);
  const lightAt = lightSums(times, plan, weatherAt);
  return times.map((timeMs) => {
    const period = periodsAt(plan, timeMs);
    if (timeMs <= now_ms - stepMs)
      return setpointsOf({
        program: { influences: [], overrides: [] },
        now_ms,
        period,
        state: { shifts: [], mean: freshState.mean },
      });
    const remembered = { temperature_mean: null, light_sum: lightAt.get(timeMs) ?? 0 };
    shifts = shiftsOf(shifts, { influences, readings: readingsIn(weatherAt(timeMs)), remembered, dt_s: step_s });
    return setpointsOf({ program: { influences, overrides }, now_ms: timeMs, period, state: { shifts, mean } });
  });
}

/** Outdoor light since midnight at each time, mol/m2. */
function lightSums(
  times: readonly number[],
  plan: DayPlan,
  weatherAt: (atMs: number) => ForeseenWeather,
): ReadonlyMap<number, number> {
  const first = times[0] ?? 0;
  const dayBefore = Array.from({ length: dayMs / stepMs }, (_, index) => first - dayMs + index * stepMs);
  let sum = { date: '', mol_m2: 0 };
  return new Map(
    [...dayBefore, ...times].map((timeMs) => {
      const date = plan.dateOf(timeMs);
      const mol_m2 = (weatherAt(timeMs).radiation_w_m2 * step_s * sunPhotons_umol_j) / 1e6;
      sum = { date, mol_m2: (sum.date === date ? sum.mol_m2 : 0) + mol_m2 };
      return [timeMs, sum.mol_m2];
    }),
  );
}

/** The present correction, as far as the program that is shown allows it. */
function correctionNow(live: Previewing['live'], { is_on, most_k }: ClimateProgram['mean_temperature']): number {
  const now_k = live.heating_c?.parts.find(({ what }) => what === 'mean_temperature')?.value ?? 0;
  return is_on ? clamp(now_k, -most_k, most_k) : 0;
}

/** The present shift of each influence. Several by one source share in turn, so that their sum is the present one. */
function shiftsNow(influences: ClimateProgram['influences'], live: Previewing['live']): number[] {
  return influences.map(({ on, source }, index) => {
    const before = influences.slice(0, index).filter((one) => one.on === on && one.source === source).length;
    return live[on]?.parts.filter((part) => part.source === source)[before]?.value ?? 0;
  });
}

function sunWithin(place: Place, fromMs: number, toMs: number): ClimatePreview['sun'] {
  const first = Temporal.Instant.fromEpochMilliseconds(fromMs - dayMs)
    .toZonedDateTimeISO(place.time_zone)
    .toPlainDate();
  const days = Array.from({ length: Math.ceil((toMs - fromMs) / dayMs) + 3 }, (_, n) =>
    sunDay(first.add({ days: n }), place),
  );
  const within = (atMs: number): boolean => atMs >= fromMs && atMs <= toMs;
  return {
    sunrises: days.map(({ sunrise_ms }) => Math.round(sunrise_ms)).filter(within),
    sunsets: days.map(({ sunset_ms }) => Math.round(sunset_ms)).filter(within),
  };
}
