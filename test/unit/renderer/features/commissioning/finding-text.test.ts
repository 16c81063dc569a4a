import { describe, expect, it } from 'vitest';
import type { ItemCheck } from '../../../../../server/contract/commissioning.ts';
import { checkWords, findingCodes, type Finding } from '../../../../../server/contract/commissioning-finding.ts';
import {
  expectedText,
  findingsText,
  measuredText,
} from '../../../../../renderer/features/commissioning/finding-text.ts';
import { showQuantity, shownUnit } from '../../../../../renderer/units/quantity.ts';
import { withUnit } from '../../../../../server/contract/unit-text.ts';
import { en } from '../../../../../renderer/i18n/en/index.ts';

/** The key and what is put into its sentence. */
const t = (key: string, named: Record<string, unknown> = {}): string =>
  [key.replace('commissioning.', ''), ...Object.entries(named).map(([name, value]) => `${name}=${String(value)}`)].join(
    ' ',
  );

/** The figures of a site with these units. */
const shownIn = (temperature_unit: 'c' | 'f') => {
  const units = { length_unit: 'm', temperature_unit } as const;
  return {
    figure: (value: number, unit: string) => showQuantity(value, unit, units).value.toFixed(1),
    withUnit: (written: string, unit: string, value: number) =>
      withUnit(written, { value, unit: shownUnit(unit, units) }, 'en'),
  };
};
const format = shownIn('c');

describe('a finding on the page', () => {
  it.each<[Finding, string[]]>([
    [{ code: 'answered', name: 'North', value: 51, unit: 's' }, ['findings.answered', 'name=North', 'value=51.0 s']],
    [{ code: 'held', by: 'safety' }, ['findings.held', 'by=words.safety']],
    [{ code: 'held', by: 'kim' }, ['by=kim']],
    [
      { code: 'stopped', quantity: 'co2', value: 2100, unit: 'ppm' },
      ['quantity=quantities.co2', 'value=2100.0\u202fppm'],
    ],
    [
      { code: 'implausible', check: 'range', expected: '0..45', unit: 'C' },
      ['check=codes.range', 'expected=0.0 … 45.0\u202f°C'],
    ],
    [{ code: 'not_back', state: 'off' }, ['state=words.off']],
    [{ code: 'not_back', state: '20', unit: '%' }, ['state=20.0\u202f%']],
  ])('%j', (found, parts) => {
    const said = findingsText([found], t, format);
    for (const part of parts) expect(said).toContain(part);
  });

  it('has words for every code there is', () => {
    for (const code of findingCodes) expect(en.commissioning.findings[code]).not.toBe('');
    for (const word of checkWords) expect(en.commissioning.words[word]).not.toBe('');
  });

  it('shows figures with their unit, words in the language and names as they are', () => {
    const [code, unit] = ['response', ''] as const;
    expect(measuredText({ code, measured: 0.32, unit: 'C' }, t, format)).toBe('0.3\u202fK');
    expect(measuredText({ code, measured: 'confirmed', unit }, t, format)).toBe('words.confirmed');
    expect(measuredText({ code, measured: 'North', unit }, t, format)).toBe('North');
    expect(measuredText({ code, measured: 'kim by key spare', unit }, t, format)).toMatch(/^kim · /);
    expect(measuredText({ code, measured: null, unit }, t, format)).toBe('–');
    expect(expectedText({ code, expected: '>= 0.3', unit: 'C' }, t, format)).toBe('≥\u202f0.3\u202fK');
  });

  it.each<[ItemCheck['code'], string, string, string, string]>([
    ['range', '0..45', 'C', '50.0\u202f°F', '32.0 … 113.0\u202f°F'],
    ['balance', '1..9', 'C', '50.0\u202f°F', '33.8 … 48.2\u202f°F'],
    ['spike', '<= 2', 'C', '18.0\u202f°F', '≤\u202f3.6\u202f°F'],
    ['rate', '<= 2', 'C/min', '18.0\u202f°F/min', '≤\u202f3.6\u202f°F/min'],
    ['response', '5', 'g/m3/min', '10.0\u202fg/m³/min', '5.0\u202fg/m³/min'],
    ['noise', '<= 5', 'umol/m2/s', '10.0\u202fµmol/m²/s', '≤\u202f5.0\u202fµmol/m²/s'],
  ])('has temperatures and differences of a Fahrenheit site: %s %s %s', (code, expected, unit, first, second) => {
    const check = { code, expected, unit, measured: 10 };
    expect(measuredText(check, t, shownIn('f'))).toBe(first);
    expect(expectedText(check, t, shownIn('f'))).toBe(second);
  });

  it('says no temperature is next to nothing: 0.004 °C are 32.0 °F', () => {
    const check = { code: 'range', measured: 0.004, unit: 'C' } as const;
    expect(measuredText(check, t, shownIn('f'))).toBe('32.0\u202f°F');
    expect(measuredText({ ...check, code: 'spike' }, t, shownIn('f'))).toBe('<\u202f0.0\u202f°F');
  });

  it.each(['stopped', 'not_driven', 'unbalanced'] as const)(
    'says where a house was in the degrees of the site: %s',
    (code) => {
      const found: Finding = { code, quantity: 'temp', value: 40, expected: '<= 38', unit: 'C' };
      expect(findingsText([found], t, shownIn('f'))).toMatch(/value=104\.0.°F expected=≤.100\.4.°F/);
    },
  );
});
