import { Temporal } from 'temporal-polyfill';
import { setpointNames, type ClimatePreview, type SetpointName } from '../../contract/climate-live.ts';
import type { ClimateProgram } from '../../contract/climate-settings.ts';
import { sunDay, type Place } from '../solar/sun-day.ts';
import { dayPlan } from './day-plan.ts';
import { periodsAt } from './program.ts';
import { setpointsOf } from './setpoints.ts';
import { freshState } from './state.ts';

const stepMs = 300_000;
const dayMs = 86_400_000;

interface Previewing {
  program: ClimateProgram;
  place: Place;
  from_ms: number;
  hours: number;
  /** What influences and the mean temperature shift each setpoint by now; nothing where it is not known. */
  shifts: Partial<Record<SetpointName, number>>;
}

/** The setpoints of the hours to come; what cannot be foreseen stays as it is now. */
export function climatePreviewOf({ program, place, from_ms, hours, shifts }: Previewing): ClimatePreview {
  const plan = dayPlan(program.periods, place);
  const count = Math.floor((hours * 3_600_000) / stepMs) + 1;
  const times = Array.from({ length: count }, (_, index) => from_ms + index * stepMs);
  const columns = times.map((timeMs) => {
    const period = periodsAt(plan, timeMs);
    return {
      period,
      setpoints: setpointsOf({
        ...{ program: { influences: [], overrides: program.overrides }, now_ms: timeMs },
        ...{ period: shifted(period, shifts), state: freshState },
      }),
    };
  });
  const columnOf = (name: SetpointName) => {
    const period = columns.map((one) => one.period[name]);
    const values = columns.map((one) => one.setpoints[name].value);
    const shift = values.map((value, index) => (value === null ? null : value - (period[index] ?? value)));
    return { values, period, shift };
  };
  return {
    times,
    periods: times.map((timeMs) => plan.periodAt(timeMs).name),
    setpoints: Object.fromEntries(setpointNames.map((name) => [name, columnOf(name)])) as ClimatePreview['setpoints'], // of every name
    sun: sunWithin(place, from_ms, times.at(-1) ?? from_ms),
  };
}

function shifted(
  period: Record<SetpointName, number | null>,
  shifts: Previewing['shifts'],
): Record<SetpointName, number | null> {
  const moved = setpointNames.map((name) => {
    const value = period[name];
    return [name, value === null ? null : value + (shifts[name] ?? 0)];
  });
  return Object.fromEntries(moved) as Record<SetpointName, number | null>; // of every name
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
