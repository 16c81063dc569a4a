import { describe, expect, it } from 'vitest';
import { alarmCodes } from '../../../../server/contract/alarm.ts';
import { alertCodes } from '../../../../server/contract/facility-live.ts';
import { en } from '../../../../renderer/i18n/en/index.ts';
import { kindsOf } from '../../../../renderer/ui/alarm-text.ts';
import { alarmDetail, alarmSentence, partOf, type AlarmFacts } from '../../../../server/contract/alarm-text.ts';

/** The key and what is put into its sentence. */
function said(facts: AlarmFacts): string {
  const t = (key: string, named: Record<string, unknown> = {}) =>
    [key.replace('alarms.say.', ''), named['value'], named['limit'], named['name'], named['rule']]
      .filter(Boolean)
      .join(' ');
  return alarmSentence(facts, t, { quantity: (value, unit) => (value === null ? '' : `${value}${unit}`) });
}

describe('the sentence of an alarm', () => {
  it.each<[AlarmFacts, string]>([
    [{ code: 'frost', value: -3, limit: 2, unit: 'C' }, 'below -3C 2C'],
    [{ code: 'over_temperature', value: 43, limit: 42, unit: 'C' }, 'above 43C 42C'],
    [{ code: 'out_of_band' }, ''],
    [{ code: 'out_of_band', name: 'above', value: 96, limit: 95, unit: '%' }, 'above 96% 95% above'],
    [{ code: 'out_of_band', name: 'above', value: 94, limit: 95, unit: '%' }, 'just_below 94% 95% above'],
    [{ code: 'out_of_band', name: 'below', value: 8.5, limit: 8, unit: 'C' }, 'just_above 8.5C 8C below'],
    [{ code: 'out_of_band', value: 96, limit: 95, unit: '%' }, 'above 96% 95%'],
    [{ code: 'frost', value: 2.4, limit: 2, unit: 'C' }, 'just_above 2.4C 2C'],
    [{ code: 'wind', value: 10.8, limit: 10.8, unit: 'm/s' }, 'above 10.8m/s 10.8m/s'],
    [{ code: 'sensor_disagree', value: 4, limit: 3, unit: 'K' }, 'apart 4K 3K'],
    [{ code: 'sensor_disagree', value: 31, unit: 'C', name: 'north' }, 'outlier 31C north'],
    [{ code: 'stale', value: 40, limit: 30, unit: 's' }, 'stale 40s 30s'],
    [{ code: 'safety_gate', name: 'wind' }, 'safety_gate wind alarms.rule.wind'],
    [{ code: 'safety_gate', name: 'a rule of tomorrow' }, ''],
    [{ code: 'disk_low', name: 'disk_space_low' }, 'disk_space_low disk_space_low'],
    [{ code: 'disk_low' }, ''],
    [{ code: 'inactive', name: 'sensors', value: 10, unit: 'unit' }, 'inactive_sensors 10unit sensors'],
    [{ code: 'inactive', name: 'something of tomorrow' }, ''],
    [{ code: 'custom' }, ''],
  ])('%j', (facts, sentence) => expect(said(facts)).toBe(sentence));

  it('has words for every alarm and alert there is', () => {
    for (const code of [...alarmCodes, ...alertCodes]) expect(en.alarms.code[code]).not.toBe('');
  });
});

it('shows the times of a clock that was set as the site has them', () => {
  const format = { dateTime: (at: string | number) => `<${at}>` };
  const t = (key: string): string => key;
  const message = '2026-01-01T00:00:00.000Z -> 2027-01-01T00:00:00.000Z';
  expect(alarmDetail({ code: 'clock_set', message }, t, format)).toBe(
    '<2026-01-01T00:00:00.000Z> → <2027-01-01T00:00:00.000Z>',
  );
  expect(alarmDetail({ code: 'clock_set', message: 'set' }, t, format)).toBe('set');
  expect(alarmDetail({ code: 'store_failed', message }, t, format)).toBe(message);
  expect(alarmDetail({ code: 'command_failed', message: 'it refuses every command' }, t, format)).toBe(
    'said.refuses_all',
  );
  expect(alarmDetail({ code: 'frost', message: null }, t, format)).toBe('');
});

it('a code is no name: of the gate and the store the sentence says it', () => {
  expect(partOf({ code: 'sensor_disagree', name: 'north' })).toBe('north');
  expect(partOf({ code: 'safety_gate', name: 'wind' })).toBeNull();
  expect(partOf({ code: 'store_failed', name: 'measurements_damaged' })).toBeNull();
  expect(partOf({ code: 'out_of_band', name: 'above' })).toBeNull();
});

it('names each kind of alarm once, the worst first, with the number of its others', () => {
  const stale = (n: number) => ({ severity: 'warning', code: 'stale', n }) as const;
  const frost = { severity: 'emergency', code: 'frost' } as const;
  const mild = { severity: 'info', code: 'stale' } as const;
  expect(kindsOf([stale(1), mild, stale(2), frost, stale(3)])).toEqual([
    { first: frost, others: 0 },
    { first: stale(1), others: 2 },
    { first: mild, others: 0 },
  ]);
});
