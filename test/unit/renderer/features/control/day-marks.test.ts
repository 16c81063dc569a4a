import { describe, expect, it } from 'vitest';
import { dayMarks, shareOf } from '../../../../../renderer/features/control/day-marks.ts';
import { durationText } from '../../../../../renderer/ui/duration.ts';
import { trigger, type Trigger } from '../../../../../server/contract/trigger.ts';

const common = { unique_id: '00000000-0000-4000-8000-000000000001', name: 'Any', is_activated: true, actions: [] };
const at = (fields: object): Trigger => trigger.parse({ ...common, missed: 'skip', ...fields });
const [monday, sunday] = [1, 7];

describe('what a trigger marks of a day', () => {
  const morning = at({ kind: 'time_point', at: '06:30', weekdays: [1, 2] });
  const night = at({ kind: 'time_span', from: '22:00', to: '04:00', period_s: 600, weekdays: [7] });

  it.each([
    ['a time on its days', morning, { weekday: monday, sun_min: null }, [[390, 390]]],
    ['nothing on others', morning, { weekday: sunday, sun_min: null }, []],
    ['the begin of a night', night, { weekday: sunday, sun_min: null }, [[1320, 1440]]],
    ['its end on the day after', night, { weekday: monday, sun_min: null }, [[0, 240]]],
    [
      'a span by day',
      at({ kind: 'time_span', from: '09:00', to: '17:00', period_s: 60 }),
      { weekday: monday, sun_min: null },
      [[540, 1020]],
    ],
    ['the sun', at({ kind: 'sunrise_sunset', event: 'sunset' }), { weekday: monday, sun_min: 1000 }, [[1000, 1000]]],
    ['no sun in the polar night', at({ kind: 'sunrise_sunset', event: 'sunset' }), { weekday: 1, sun_min: null }, []],
    ['nothing of an interval', at({ kind: 'interval', period_s: 60 }), { weekday: monday, sun_min: 600 }, []],
  ] as const)('is %s', (_, one, day, marks) => {
    expect(dayMarks(one, day).map(({ from_min, to_min }) => [from_min, to_min])).toEqual(marks);
  });

  it('lies where the day is', () => {
    expect([shareOf(0), shareOf(720), shareOf(1440)]).toEqual([0, 50, 100]);
  });
});

it.each([
  [5, '5 s'],
  [90, '90 s'],
  [300, '5 min'],
  [3_600, '1 h'],
  [5_400, '90 min'],
  [172_800, '2 days'],
])('writes %i s in the largest unit of which it is whole', (seconds, text) => {
  expect(durationText(seconds, 'en')).toBe(text);
});
