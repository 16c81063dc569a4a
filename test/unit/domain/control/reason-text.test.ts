import { describe, expect, it } from 'vitest';
import en from '../../../../resources/cause-text/en.json' with { type: 'json' };
import ja from '../../../../resources/cause-text/ja.json' with { type: 'json' };
import ko from '../../../../resources/cause-text/ko.json' with { type: 'json' };
import {
  amount,
  climateReason,
  climateUnit,
  reason as reasonSchema,
  reasonCodes,
  reasonWords,
  type Reason,
} from '../../../../server/contract/reason.ts';
import { explained, reasonText } from '../../../../server/domain/control/reason-text.ts';

const seoul = 'Asia/Seoul';
const interval: Reason = {
  code: 'interval',
  facts: { period: amount(600, 's'), at: { at: '2026-03-29T00:30:00.000Z' } },
};
const cold: Reason = {
  code: 'condition_not',
  facts: {
    condition: { text: 't < 5 && !lamp' },
    readings: {
      readings: [
        { name: 't', value: null, unit: 'C' },
        { name: 'lamp', value: true, unit: '' },
        { name: 'day', value: 20, unit: null },
      ],
    },
  },
};

describe('a reason in words', () => {
  it.each([
    ['en', 'Europe/Madrid', interval, 'every 600 s, 2026-03-29 01:30:00'],
    ['ko', seoul, interval, '600초마다, 2026-03-29 09:30:00'],
    ['ja', 'Asia/Tokyo', interval, '600 秒ごと、2026-03-29 09:30:00'],
    ['en', seoul, cold, 'not t < 5 && !lamp (t = missing, lamp = true, day = list of 20)'],
    ['ko', seoul, cold, '조건이 거짓: t < 5 && !lamp (t = 값 없음, lamp = 참, day = 값 20개)'],
    ['ja', seoul, cold, '条件が偽：t < 5 && !lamp (t = 値なし、lamp = 真、day = 値 20 個)'],
    ['ko', seoul, climateReason({ code: 'rain', values: { most_pct: 20 } }), '창 최대 20\u202f%: 비'],
  ] as const)('in %s, by the clock of %s', (language, time_zone, reason, said) => {
    expect(reasonSchema.parse(reason)).toEqual(reason);
    expect(reasonText(reason, { language, time_zone })).toBe(said);
  });

  it('goes by the clock of the site over both changes of it', () => {
    const at = (time: string): string =>
      explained({ code: 'time_point', facts: { at: { at: time } } }, 'Europe/Madrid').because;
    expect(
      ['2026-03-29T00:59:00Z', '2026-03-29T01:01:00Z', '2026-10-25T00:59:00Z', '2026-10-25T01:01:00Z'].map(at),
    ).toEqual([
      'time of day, 2026-03-29 01:59:00',
      'time of day, 2026-03-29 03:01:00',
      'time of day, 2026-10-25 02:59:00',
      'time of day, 2026-10-25 02:01:00',
    ]);
  });

  it('is no longer than the wire takes, and shows a dash for what it lacks', () => {
    const long: Reason = { code: 'told', facts: { text: { text: 'x'.repeat(500) } } };
    expect(explained({ ...long, code: 'condition' }).because).toBe('––');
    expect(explained(long).because).toHaveLength(500);
  });
});

const languages = { en, ko, ja };
it.each(Object.entries(languages))('%s has a sentence for every rule and every word', (_language, text) => {
  expect(Object.keys(text.reasons).sort()).toEqual([...reasonCodes].sort());
  expect(Object.keys(text.words).sort()).toEqual([...reasonWords, 'true', 'false'].sort());
});

it('gives each number of a climate program the unit that its name says', () => {
  const names = ['limit_w_m2', 'light_mol_m2', 'wind_m_s', 'excess_k', 'target_c', 'hours'];
  expect(names.map(climateUnit)).toEqual(['W/m2', 'mol/m2', 'm/s', 'K', 'C', '']);
});
