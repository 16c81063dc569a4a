import { dewMargin, dewPoint, vpd, wetBulb } from './air.ts';
import { bangBang } from './bang-bang.ts';
import { degreeHours, lightIntegral } from './day-sums.ts';
import { dosing } from './dosing.ts';
import { cropTranspiration, evapotranspiration } from './evapotranspiration.ts';
import { average, difference, redundancy, sum } from './combined.ts';
import { statistics } from './statistics.ts';

/** Every kind of function by its word. */
export const functionDefinitions = {
  bang_bang: bangBang,
  average,
  difference,
  sum,
  redundancy,
  vpd,
  wet_bulb: wetBulb,
  dew_point: dewPoint,
  dew_margin: dewMargin,
  statistics,
  light_integral: lightIntegral,
  degree_hours: degreeHours,
  evapotranspiration,
  crop_transpiration: cropTranspiration,
  dosing,
};
