import { z } from 'zod';
import { Temporal } from 'temporal-polyfill';
import type { FunctionOptions } from '../../../../contract/function.ts';
import { photonFlux, sunOf } from '../../../analytics/light-sum.ts';
import { addToDay, degreesAbove, emptyDay, type DaySum } from '../day-sum.ts';
import type { Quantity } from '../derived.ts';
import { missing, type Law, type LawSite } from './law.ts';

const kept = z.object({
  day: z.string(),
  sum: z.number(),
  last: z.object({ at_ms: z.number(), rate: z.number() }).nullable(),
});

/** Periods for which a reading holds, so that a late or failed one leaves no gap. */
const heldPeriods = 3;

/** Sums a rate since midnight at the site; the sum outlives a restart. */
export function summed(site: LawSite) {
  let state: DaySum = kept.safeParse(site.kept).data ?? emptyDay;
  return {
    add: (rate: number | null, period_s: number): number => {
      const [at_ms, { time_zone }] = [site.now(), site.place()];
      const date = Temporal.Instant.fromEpochMilliseconds(at_ms).toZonedDateTimeISO(time_zone).toPlainDate();
      const midnightMs = date.toZonedDateTime(time_zone).epochMilliseconds;
      const holdMs = heldPeriods * period_s * 1000;
      state = addToDay(state, { day: date.toString(), midnight_ms: midnightMs, at_ms, rate, hold_ms: holdMs });
      return state.sum;
    },
    state: (): DaySum => state,
    reset: (): void => void (state = { ...state, sum: 0 }),
  };
}

/** mol/m2 and J/cm2 of light since midnight. Lux is taken as daylight. */
export function lightIntegralLaw(site: LawSite): Law<FunctionOptions<'light_integral'>> {
  const photons = summed(site);
  const perSun = photonFlux('W/m2', 'daylight') ?? 1;
  return {
    look: ({ light, period_s }, { read }) => {
      const seen = read(light);
      const flux = fluxOf(seen);
      const sum = photons.add(flux, period_s); // umol/m2/s h
      const mol = (sum * 3600) / 1e6;
      const values = [
        { value: mol, unit: 'mol/m2' },
        { value: (mol * 1e6) / perSun / 1e4, unit: 'J/cm2' },
      ];
      return { values, failure: flux === null ? missing : null };
    },
    state: photons.state,
    reset: photons.reset,
  };
}

/** umol/m2/s; null without a reading of light. */
function fluxOf(seen: Quantity | null): number | null {
  const factor = seen === null || sunOf(seen.unit) === undefined ? undefined : photonFlux(seen.unit, 'daylight');
  return seen === null || factor === undefined ? null : Math.max(0, seen.value) * factor;
}

/** K h above a base since midnight. */
export function degreeHoursLaw(site: LawSite): Law<FunctionOptions<'degree_hours'>> {
  const degrees = summed(site);
  return {
    look: (options, { read }) => {
      const seen = read(options.temperature);
      const value = degrees.add(seen === null ? null : degreesAbove(seen.value, options), options.period_s);
      return { values: [{ value, unit: 'K h' }], failure: seen === null ? missing : null };
    },
    state: degrees.state,
    reset: degrees.reset,
  };
}
