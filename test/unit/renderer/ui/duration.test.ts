import { expect, it } from 'vitest';
import { passingText, roundedUp } from '../../../../renderer/ui/duration.ts';

it.each([
  [-3, '0 s', '0초', '0 秒'],
  [0, '0 s', '0초', '0 秒'],
  [65, '1 min 5 s', '1분 5초', '1 分 5 秒'],
  [599.6, '10 min 0 s', '10분 0초', '10 分 0 秒'],
  [1_440, '24 min 0 s', '24분 0초', '24 分 0 秒'],
  [3_725, '1 h 2 min', '1시간 2분', '1 時間 2 分'],
  [86_400, '1 day 0 h', '1일 0시간', '1 日 0 時間'],
])('shows that %d s pass with their units', (seconds, ...texts) => {
  expect(['en', 'ko', 'ja'].map((locale) => passingText(seconds, locale))).toEqual(texts);
});

it.each([
  [0, 0],
  [1, 1],
  [119.2, 120],
  [121, 180],
  [7_200, 7_200],
  [7_201, 10_800],
  [200_000, 201_600],
])('takes %d s for at least %d s', (seconds, rounded) => expect(roundedUp(seconds)).toBe(rounded));
