// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { formatOf } from './format-of.ts';

it('writes times by the 24-hour clock of the site, wherever the reader is', () => {
  const evening = '2026-03-01T10:05:09.000Z';
  const [seoul, azores] = [formatOf('Asia/Seoul'), formatOf('Atlantic/Azores')];
  expect([seoul.time(evening), azores.time(evening)]).toEqual(['19:05:09', '09:05:09']);
  expect(seoul.stamp(evening)).toContain('19:05:09');
  expect(seoul.dateTime(evening)).toContain('19:05');
  expect(azores.dateTime('2026-03-01T00:30:00.000Z')).toMatch(/Feb.*23:30/); // the day before
});

it.each(['en', 'ko', 'ja'] as const)('writes an early hour with two digits in %s', (language) => {
  const format = formatOf('Asia/Seoul', language);
  const early = '2026-03-01T21:05:09.000Z';
  expect(format.time(early)).toBe('06:05:09');
  expect(format.dateTime(early)).toMatch(/\D06:05$/);
  expect(format.stamp(early)).toMatch(/\D06:05:09$/);
});

it('makes no formatter anew for a time that is written each second', () => {
  const format = formatOf('Asia/Seoul');
  const at = '2026-03-01T10:05:09.000Z';
  const first = format.nearTime(at, Date.parse(at));
  const made = vi.spyOn(Intl, 'DateTimeFormat');
  expect(format.nearTime(at, Date.parse(at) + 1_000)).toBe(first);
  expect(made).not.toHaveBeenCalled();
  made.mockRestore();
});

it('writes what is rounded to nothing without a sign', () => {
  const format = formatOf('Asia/Seoul');
  const kelvin = format.quantity(-0.04, 'K').replace('\u202f', ' ');
  expect([format.number(-0.001), format.number(-0.06, 1), kelvin]).toEqual(['0', '-0.1', '0.0 K']);
});

it('writes a setting in minutes, hours or days as its language does, like a reading', () => {
  const format = formatOf('Asia/Seoul', 'ja');
  expect([format.amount(90, 'min'), format.amount(2.5, 'h'), format.amount(3, 'd')]).toEqual([
    '90 分',
    '2.5 時間',
    '3 日',
  ]);
});

it('writes the unit of a range once, behind it', () => {
  // The words between are in English: no other messages are loaded here.
  const [english, korean] = [formatOf('Asia/Seoul'), formatOf('Asia/Seoul', 'ko')];
  expect([english.limits(0, 3_600, 's'), korean.limits(0, 3_600, 's')]).toEqual(['0 to 3,600 s', '0 to 3,600초']);
  expect(english.limits(-0.5, 1.25, 'h')).toBe('-0.5 to 1.25 h');
  expect(english.range(18, 25, 'C')).toBe('18.0 to 25.0\u202f°C');
  expect(korean.range(0.26, 30.04, 'min')).toBe('0.3 to 30분');
  expect(english.range(0, 360, 'deg')).toBe('0 to 360°');
});

it('names units of time in the language, and all others by their symbol', () => {
  const korean = formatOf('Asia/Seoul', 'ko');
  expect(['s', 'd', 'm3/h', '1/h'].map((unit) => korean.unit(unit))).toEqual(['초', '일', 'm³/h', '1/h']);
});
