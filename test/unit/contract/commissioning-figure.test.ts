import { expect, it } from 'vitest';
import { figureText, limitText, seriesText, type FigureWriter } from '../../../server/contract/commissioning-figure.ts';
import { withUnit } from '../../../server/contract/unit-text.ts';
import { reportLanguage } from '../../../server/services/commissioning/report-language.ts';

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const write: FigureWriter = {
  figure: (value) => numbers.format(value),
  withUnit: (written, unit, value) => withUnit(written, { value, unit }, 'en'),
};

it.each([
  [5.41e-7, 'C/min', '<\u202f0.01\u202fK/min'],
  [-5.41e-7, 'ppm', '>\u202f-0.01\u202fppm'],
  [0.004, 'C', '0\u202f°C'],
  [0, 'ppm', '0\u202fppm'],
  [0.0123, 'g/m3', '0.01\u202fg/m³'],
  [21_384.2, 'W/m2', '21,384.2\u202fW/m²'],
  [812, 'umol/m2/s', '812\u202fµmol/m²/s'],
  [133, 'deg', '133°'],
  [7, '', '7'],
])('writes %d %s as %s', (value, unit, written) => {
  expect(figureText(value, { unit }, write)).toBe(written);
});

it.each([
  ['>= 0.5', 'C', '≥\u202f0.5\u202f°C'],
  ['<= 500', 'ppm/min', '≤\u202f500\u202fppm/min'],
  ['-15..45', 'C', '-15 … 45\u202f°C'],
  ['±0.123', '%', '±0.12\u202f%'],
  ['0.378 C/min', 'C/min', '0.38\u202fK/min'],
  ['Bed 1', '', 'Bed 1'],
  ['its own place', 'C', 'its own place'],
])('writes the limit %s %s as %s', (expected, unit, written) => {
  expect(limitText(expected, { unit }, write)).toBe(written);
});

it.each([
  ['response', '0.3\u202fK', '≥\u202f0.5\u202fK'],
  ['range', '0.3\u202f°C', '≥\u202f0.5\u202f°C'],
])('tells a difference from a temperature: %s', (code, figure, expected) => {
  expect(figureText(0.3, { code, unit: 'C' }, write)).toBe(figure);
  expect(limitText('>= 0.5 C', { code, unit: 'C' }, write)).toBe(expected);
});

it('says in the language that a humidity sensor was judged by vapour', () => {
  expect(seriesText('A (vapour), B', '水蒸気')).toBe('A (水蒸気), B');
  expect(seriesText('A (vapour) tank', '水蒸気')).toBe('A (vapour) tank');
});

it('inflects the days of a report by their number', () => {
  const { way } = reportLanguage('en', 'UTC');
  expect([way.figure(1, { unit: 'd' }), way.figure(2, { unit: 'd' })]).toEqual(['1 day', '2 days']);
  expect([way.limit('<= 1', { unit: 'd' }), way.limit('1..3', { unit: 'd' })]).toEqual(['≤\u202f1 day', '1 … 3 days']);
});
