import { expect, it } from 'vitest';
import { timeUnit, timeUnitName, withTimeUnit } from '../../../server/contract/time-unit.ts';
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
  const said = spans.map(([value, unit]) => withTimeUnit(String(value), timeUnit(unit) ?? 'second', language, value));
  expect(said).toEqual(written);
});

it('names the unit alone as it stands after several', () => {
  const units = ['second', 'minute', 'hour', 'day'] as const;
  expect(units.map((unit) => timeUnitName(unit, 'en'))).toEqual(['s', 'min', 'h', 'days']);
  expect(units.map((unit) => timeUnitName(unit, 'ko'))).toEqual(['초', '분', '시간', '일']);
});

it.each(['C', 'm3/h', '1/h', '', 'constructor'])('leaves "%s" to the symbols of all languages', (unit) => {
  expect(timeUnit(unit)).toBeUndefined();
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
