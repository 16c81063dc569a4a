import { z } from 'zod';
import type { FunctionOptions } from '../../../../contract/function.ts';
import { outdoorCo2_ppm, pressureAt_pa } from '../../../climate/air.ts';
import type { Quantity } from '../derived.ts';
import { grassEvapotranspiration_mm_h } from '../evapotranspiration.ts';
import { cropTranspiration } from '../transpiration.ts';
import { clearnessOf } from '../../../solar/extraterrestrial.ts';
import { summed } from './day-sums.ts';
import { missing, type Found, type Law, type LawSite } from './law.ts';

/** For a sky not yet observed: between a humid and an arid climate (FAO-56, after eq. 53). */
const unknownClearness = 0.6;

/** All readings, or null when one of them is missing. */
function allOf(read: readonly (Quantity | null)[]): number[] | null {
  const values = read.flatMap((one) => one?.value ?? []);
  return values.length < read.length ? null : values;
}

function isAir(humidity_pct: number): boolean {
  return humidity_pct >= 0 && humidity_pct <= 100;
}

function found(now_mm_h: number | null, today_mm: number): Found {
  const now = now_mm_h === null ? null : { value: now_mm_h, unit: 'mm/h' };
  return { values: [now, { value: today_mm, unit: 'mm' }], failure: now === null ? missing : null };
}

/** mm/h of grass in the open, and mm since midnight. By night the sky counts as clear as before sunset. */
export function evapotranspirationLaw(site: LawSite): Law<FunctionOptions<'evapotranspiration'>> {
  const water = summed(site);
  const kept = z.object({ clearness: z.number().min(0.3).max(1) }).safeParse(site.kept).data;
  let clearness = kept?.clearness ?? unknownClearness;
  return {
    look: ({ temperature, humidity, wind, radiation, elevation_m = 0, period_s }, { read }) => {
      const air = allOf([temperature, humidity, wind, radiation].map(read));
      const [temp_c = NaN, humidity_pct = NaN, wind_m_s = NaN, sun_w_m2 = NaN] = air ?? [];
      const radiation_w_m2 = Math.max(0, sun_w_m2);
      if (!isAir(humidity_pct)) return found(null, water.add(null, period_s));
      clearness = clearnessOf(radiation_w_m2, { at_ms: site.now(), place: site.place(), elevation_m }) ?? clearness;
      const pressure_pa = pressureAt_pa(elevation_m);
      const hour = { temp_c, humidity_pct, wind_m_s: Math.max(0, wind_m_s), radiation_w_m2, pressure_pa, clearness };
      const mm_h = grassEvapotranspiration_mm_h(hour);
      return found(mm_h, water.add(mm_h, period_s));
    },
    state: () => ({ ...water.state(), clearness }),
    reset: water.reset,
  };
}

/** mm/h of a crop in its house, and mm since midnight. */
export function cropTranspirationLaw(site: LawSite): Law<FunctionOptions<'crop_transpiration'>> {
  const water = summed(site);
  return {
    look: ({ temperature, humidity, radiation, co2, leaf_area_index, period_s }, { read }) => {
      const [measured, enriched] = [[temperature, humidity, radiation], co2 === undefined ? [] : [co2]];
      const air = allOf([...measured, ...enriched].map(read));
      const [temp_c = NaN, humidity_pct = NaN, sun_w_m2 = NaN, co2_ppm = outdoorCo2_ppm] = air ?? [];
      if (!isAir(humidity_pct)) return found(null, water.add(null, period_s));
      const crop = { temp_c, humidity_pct, radiation_w_m2: Math.max(0, sun_w_m2), co2_ppm, leaf_area_index };
      const { mm_h } = cropTranspiration(crop);
      return found(mm_h, water.add(mm_h, period_s));
    },
    state: water.state,
    reset: water.reset,
  };
}
