import type { FunctionKind, FunctionOptions } from '../../../../contract/function.ts';
import { average, dewMargin, difference, ofAir, redundancy, sum } from '../derived.ts';
import { bangBangLaw } from './bang-bang.ts';
import { degreeHoursLaw, lightIntegralLaw } from './day-sums.ts';
import { dosingLaw } from './dosing.ts';
import { cropTranspirationLaw, evapotranspirationLaw } from './evapotranspiration.ts';
import { derived, type Law, type LawSite } from './law.ts';
import { statisticsLaw } from './statistics.ts';

/** The law of each kind. */
const laws: { [Kind in FunctionKind]: (site: LawSite) => Law<FunctionOptions<Kind>> } = {
  bang_bang: bangBangLaw,
  average: derived(({ measurements, at_least = measurements.length }, read) =>
    average(measurements.map(read), at_least),
  ),
  difference: derived(({ measurement, minus }, read) => difference(read(measurement), read(minus))),
  sum: derived(({ measurements }, read) => sum(measurements.map(read))),
  redundancy: derived(({ measurements }, read) => redundancy(measurements, read)),
  vpd: derived(({ temperature, humidity }, read) => ofAir('vpd', read(temperature), read(humidity))),
  wet_bulb: derived(({ temperature, humidity }, read) => ofAir('wet_bulb', read(temperature), read(humidity))),
  dew_point: derived(({ temperature, humidity }, read) => ofAir('dew_point', read(temperature), read(humidity))),
  dew_margin: derived(({ surface, temperature, humidity }, read) =>
    dewMargin(read(surface), read(temperature), read(humidity)),
  ),
  statistics: statisticsLaw,
  light_integral: lightIntegralLaw,
  degree_hours: degreeHoursLaw,
  evapotranspiration: evapotranspirationLaw,
  crop_transpiration: cropTranspirationLaw,
  dosing: dosingLaw,
};

/** A new law of a kind; call it only with options of that kind. */
export function lawOf(kind: FunctionKind, site: LawSite): Law<unknown> {
  return laws[kind](site);
}
