export type TimeUnit = 'second' | 'minute' | 'hour' | 'day' | 'year';

/** Units of time by their wire units: the only ones with words of their own in Korean and Japanese. */
const timeUnits: ReadonlyMap<string, TimeUnit> = new Map([
  ['s', 'second'],
  ['min', 'minute'],
  ['h', 'hour'],
  ['d', 'day'],
  ['a', 'year'],
]);

/** The unit of time of a wire unit; undefined for any other. */
export function timeUnit(wireUnit: string): TimeUnit | undefined {
  return timeUnits.get(wireUnit);
}

/** Languages in Latin letters write these by their symbols like all units, where `Intl` has "sec" and "hr". */
const symbols: Partial<Record<TimeUnit, string>> = { second: 's', minute: 'min', hour: 'h' };

/** "30 min", "2 days", "30분": a number, as the language writes it, with its unit, which `value` inflects. */
export function withTimeUnit(written: string, unit: TimeUnit, language: string, value: number): string {
  return written + partsOf(unit, language, value).join('');
}

/** The unit alone, as it stands after several: "h", "days", "시간". */
export function timeUnitName(unit: TimeUnit, language: string): string {
  return partsOf(unit, language, 2)[1];
}

/** What stands between a number and the unit, and the unit. */
function partsOf(unit: TimeUnit, language: string, value: number): [between: string, name: string] {
  const unitDisplay = unit === 'day' || unit === 'year' ? 'long' : 'short';
  const form = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay });
  const parts = form.formatToParts(value === 1 ? 1 : 2);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  const name = part('unit');
  return [part('literal'), /^[a-z]+$/i.test(name) ? (symbols[unit] ?? name) : name];
}
