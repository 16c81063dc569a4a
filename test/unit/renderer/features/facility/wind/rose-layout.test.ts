import { describe, expect, it } from 'vitest';
import { openingArrows } from '../../../../../../renderer/features/facility/wind/rose-layout.ts';

const plan = { width: 20, length: 40 };
const opening = { id: 'a', flow_m3h: 100, exchange_m3h: 0 } as const;

describe('arrows at the openings', () => {
  it.each([
    ['front', 'in', 0, -20, 180],
    ['front', 'out', 0, -20, 0],
    ['right', 'in', 10, 0, 270],
    ['left', 'in', -10, 0, 90],
    ['back', 'out', 0, 20, 180],
    ['roof_left', 'out', -5, 0, 270],
  ] as const)('at %s, air going %s', (face, direction, x, y, turn_deg) => {
    expect(openingArrows([{ ...opening, face, direction }], plan)).toEqual([
      { id: 'a', x, y, turn_deg, direction, size: 1 },
    ]);
  });

  it('stand side by side on one face, the smaller flow with the smaller arrow', () => {
    const two = [
      { ...opening, face: 'right', direction: 'in' },
      { ...opening, id: 'b', flow_m3h: -50, face: 'right', direction: 'out' },
    ] as const;
    expect(openingArrows(two, plan).map(({ y, size }) => [y, size])).toEqual([
      [-10, 1],
      [10, 0.7],
    ]);
  });

  it('have a size without any flow', () => {
    const still = { ...opening, flow_m3h: 0, face: 'ridge', direction: 'none' } as const;
    expect(openingArrows([still], plan)[0]?.size).toBe(0.4);
  });
});
