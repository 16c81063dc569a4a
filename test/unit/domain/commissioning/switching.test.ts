import { expect, it } from 'vitest';
import {
  codeLength,
  isOnInPhase,
  isOnOnce,
  levelAt,
  phaseLength_s,
} from '../../../../server/domain/commissioning/switching.ts';

const phases = Array.from({ length: codeLength }, (_, phase) => phase);
const codeOf = (code: number): number[] => phases.map((phase) => Number(isOnInPhase(code, phase)));

it.each(phases)('code %i goes on and off at least twice and is on in five phases', (code) => {
  const levels = [0, ...codeOf(code), 0];
  const rises = levels.filter((level, at) => level > (levels[at - 1] ?? 0)).length;
  expect(rises).toBeGreaterThanOrEqual(2);
  expect(codeOf(code).reduce((sum, one) => sum + one, 0)).toBe(5);
});

it('any two codes are on together in as many phases as chance has it', () => {
  for (const one of phases) {
    for (const other of phases.filter((code) => code !== one)) {
      expect(codeOf(one).filter((level, at) => level === 1 && codeOf(other)[at] === 1)).toHaveLength(2);
    }
  }
});

it('is off outside its phases', () => {
  expect([-1, codeLength].some((phase) => phases.some((code) => isOnInPhase(code, phase)))).toBe(false);
  expect(phases.filter((phase) => isOnOnce(phase, codeLength))).toEqual([3, 4, 5, 6]);
});

it.each([
  [1, 27],
  [15, 27],
  [30, 54],
  [600, 120],
])('sensors at %i s get phases of %i s', (period_s, length_s) => {
  expect(phaseLength_s(period_s)).toBe(length_s);
});

it('knows the level of a signal at every time', () => {
  const signal = [
    { time_s: -Infinity, level: 0.2 },
    { time_s: 10, level: 1 },
    { time_s: 20, level: 0 },
  ];
  expect([0, 10, 19.9, 25].map((time_s) => levelAt(signal, time_s))).toEqual([0.2, 1, 1, 0]);
});
