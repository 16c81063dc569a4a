import type { ControlMeasurement } from '../../../contract/pid.ts';
import type { FunctionKind, FunctionOptions, FunctionSettings } from '../../../contract/function.ts';
import {
  average,
  difference,
  ofAir,
  redundancy,
  sum,
  type Quantity,
} from '../../../domain/control/functions/derived.ts';

type Read = (series: ControlMeasurement) => Quantity | null;
type DerivedKind = Exclude<FunctionKind, 'bang_bang'>;

/** What each kind works out of what is read now. */
const laws: { [Kind in DerivedKind]: (options: FunctionOptions<Kind>, read: Read) => Quantity | null } = {
  average: ({ measurements, at_least }, read) => average(measurements.map(read), at_least ?? measurements.length),
  difference: ({ measurement, minus }, read) => difference(read(measurement), read(minus)),
  sum: ({ measurements }, read) => sum(measurements.map(read)),
  redundancy: ({ measurements }, read) => redundancy(measurements.map(read)),
  vpd: ({ temperature, humidity }, read) => ofAir('vpd', read(temperature), read(humidity)),
  wet_bulb: ({ temperature, humidity }, read) => ofAir('wet_bulb', read(temperature), read(humidity)),
  dew_point: ({ temperature, humidity }, read) => ofAir('dew_point', read(temperature), read(humidity)),
};

type Derived = Extract<FunctionSettings, { kind: DerivedKind }>;

/** Null while what it needs is missing. */
export function derive(settings: Derived, read: Read): Quantity | null {
  const law = laws[settings.kind] as (options: Derived['options'], read: Read) => Quantity | null; // of the same kind
  return law(settings.options, read);
}
