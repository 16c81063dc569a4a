/** Units of time by their wire units: the only ones with words of their own in Korean and Japanese. */
const timeUnits: ReadonlyMap<string, string> = new Map([
  ['s', 'second'],
  ['min', 'minute'],
  ['h', 'hour'],
  ['d', 'day'],
  ['a', 'year'],
]);

/** A number in its unit on the wire, or as `unitSymbol` writes that. */
export interface Quantity {
  value: number;
  unit: string;
}

export function isTimeUnit(unit: string): boolean {
  return timeUnits.has(unit);
}

/** A unit as all languages write it: "°C", "µmol/m²/s" for `umol/m2/s`; a symbol is returned as it is. */
export function unitSymbol(unit: string): string {
  return unit
    .replace(/^[CF](?=\/|$)/, '°$&')
    .replace(/^deg(?=\/|$)/, '°')
    .replace(/^u(?=mol|S)/, 'µ')
    .replaceAll(/(?<=[a-z])[23]/g, (power) => (power === '2' ? '²' : '³'))
    .replace(/(?<=[²³])(?=[sdh]$)/, '/'); // the wire has both `umol/m2/s` and `umol/m2s`
}

/** A unit alone, as it stands after several: "°C", "h", "days", "시간". */
export function unitText(unit: string, language: string): string {
  return partsOf({ value: 2, unit }, language)[1];
}

/** "31.2 °C", "2 days", "30분": a number, as the language writes it, with its unit, which the value inflects. */
export function withUnit(written: string, quantity: Quantity, language: string): string {
  return written + partsOf(quantity, language).join('');
}

/** "1,235 W/m²": a quantity of a message, which no page converts, with four significant digits. */
export function quantityText(quantity: Quantity, language: string): string {
  const figures = formOf(language, { maximumSignificantDigits: 4, signDisplay: 'negative' });
  return withUnit(figures.format(quantity.value), quantity, language);
}

/** What stands between a number and its unit, and the unit. */
function partsOf({ value, unit }: Quantity, language: string): [between: string, unit: string] {
  const time = timeUnits.get(unit);
  if (time === undefined) {
    const symbol = unitSymbol(unit);
    return [symbol === '' || symbol === '°' ? '' : '\u202f', symbol];
  }
  const unitDisplay = unit === 'd' || unit === 'a' ? 'long' : 'short';
  const parts = formOf(language, { style: 'unit', unit: time, unitDisplay }).formatToParts(value === 1 ? 1 : 2);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  // Languages in Latin letters write short times by their symbols, where `Intl` has "sec" and "hr".
  const hasSymbol = unitDisplay === 'short' && /^[a-z]+$/i.test(part('unit'));
  return [part('literal'), hasSymbol ? unit : part('unit')];
}

/** To make one costs far more than to use it, and each tick of a controller writes its reason. */
const forms = new Map<string, Intl.NumberFormat>();

function formOf(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify([language, options]);
  const form = forms.get(key) ?? new Intl.NumberFormat(language, options);
  forms.set(key, form);
  return form;
}
