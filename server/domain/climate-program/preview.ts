import { Temporal } from 'temporal-polyfill';
import { setpointNames, type ClimatePreview, type SetpointName } from '../../contract/climate-live.ts';
import type { ClimateProgram } from '../../contract/climate-settings.ts';
import { sunDay, type Place } from '../solar/sun-day.ts';
import { dayPlan } from './day-plan.ts';
import { periodsAt } from './program.ts';
import { setpointsOf } from './setpoints.ts';
import { freshState } from './state.ts';

const step_ms = 300_000;
const day_ms = 86_400_000;

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
  const count = Math.floor((hours * 3_600_000) / step_ms) + 1;
  const times = Array.from({ length: count }, (_, index) => from_ms + index * step_ms);
  const columns = times.map((time_ms) => {
    const period = periodsAt(plan, time_ms);
    return {
      period,
      setpoints: setpointsOf({
        ...{ program: { influences: [], overrides: program.overrides }, now_ms: time_ms },
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
    periods: times.map((time_ms) => plan.periodAt(time_ms).name),
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

function sunWithin(place: Place, from_ms: number, to_ms: number): ClimatePreview['sun'] {
  const first = Temporal.Instant.fromEpochMilliseconds(from_ms - day_ms)
    .toZonedDateTimeISO(place.time_zone)
    .toPlainDate();
  const days = Array.from({ length: Math.ceil((to_ms - from_ms) / day_ms) + 3 }, (_, n) =>
    sunDay(first.add({ days: n }), place),
  );
  const within = (at_ms: number): boolean => at_ms >= from_ms && at_ms <= to_ms;
  return {
    sunrises: days.map(({ sunrise_ms }) => Math.round(sunrise_ms)).filter(within),
    sunsets: days.map(({ sunset_ms }) => Math.round(sunset_ms)).filter(within),
  };
}
