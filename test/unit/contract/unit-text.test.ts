import { expect, it } from 'vitest';
import { quantityText, unitSymbol, unitText, withUnit } from '../../../server/contract/unit-text.ts';
import { wordAlarm } from '../../../server/contract/alarm-words.ts';

it.each([
  ['en', ['1 s', '90 s', '1.5 min', '2 h', '1 day', '1.5 days', '1 year', '50 years']],
  ['ko', ['1초', '90초', '1.5분', '2시간', '1일', '1.5일', '1년', '50년']],
  ['ja', ['1 秒', '90 秒', '1.5 分', '2 時間', '1 日', '1.5 日', '1 年', '50 年']],
] as const)('writes times in %s by symbols or by words, never by both', (language, written) => {
  const spans = [
    [1, 's'],
    [90, 's'],
    [1.5, 'min'],
    [2, 'h'],
    [1, 'd'],
    [1.5, 'd'],
    [1, 'a'],
    [50, 'a'],
  ] as const;
  const said = spans.map(([value, unit]) => withUnit(String(value), { value, unit }, language));
  expect(said).toEqual(written);
});

it('names the unit alone as it stands after several', () => {
  const units = ['s', 'min', 'h', 'd', 'C', '1/h', 'constructor'];
  expect(units.map((unit) => unitText(unit, 'en'))).toEqual(['s', 'min', 'h', 'days', '°C', '1/h', 'constructor']);
  expect(units.map((unit) => unitText(unit, 'ko'))).toEqual(['초', '분', '시간', '일', '°C', '1/h', 'constructor']);
});

it.each([
  ['C', '°C'],
  ['C/min', '°C/min'],
  ['CO2', 'CO2'],
  ['deg', '°'],
  ['m3/h', 'm³/h'],
  ['W/m2K', 'W/m²K'],
  ['m3/s m2', 'm³/s m²'],
  ['umol/m2/s', 'µmol/m²/s'],
  ['umol/m2s', 'µmol/m²/s'],
  ['mol/m2d', 'mol/m²/d'],
  ['umol/J', 'µmol/J'],
  ['unit', 'unit'],
  ['', ''],
])('writes %s as %s, which stays as it is', (unit, symbol) => {
  expect([unitSymbol(unit), unitSymbol(symbol)]).toEqual([symbol, symbol]);
});

it.each([
  [31.249999, 'C', '31.25\u202f°C'],
  [1234.5, 'W/m2', '1,235\u202fW/m²'],
  [-0.00001, 'K', '-0.00001\u202fK'],
  [-0, '%', '0\u202f%'],
  [359.96, 'deg', '360°'],
  [7, '', '7'],
])('writes %d %s in messages as %s', (value, unit, written) => {
  for (const language of ['en', 'ko', 'ja']) expect(quantityText({ value, unit }, language)).toBe(written);
});

it('writes the times of a message as the page does', () => {
  const stale = {
    code: 'stale',
    severity: 'warning',
    source_kind: 'input',
    source_id: 'x',
    source_name: 'North',
  } as const;
  const facts = { channel: null, role: null, name: null, value: 700, limit: 600, unit: 's', message: null };
  const said = (language: 'en' | 'ko') => wordAlarm({ ...stale, ...facts }, { language }).lines.join();
  expect(said('en')).toContain('600 s.');
  expect(said('ko')).toContain('600초 넘게');
});
