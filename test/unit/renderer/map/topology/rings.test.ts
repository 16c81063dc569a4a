import { expect, it } from 'vitest';
import { areasOf, total, type Ring } from '../../../../../renderer/map/topology/rings.ts';

it('makes two areas of a ring that comes back to a corner', () => {
  const bow: Ring = [
    { x: 0, y: 0 },
    { x: 2, y: -1 },
    { x: 2, y: 1 },
    { x: 0, y: 0 },
    { x: -2, y: 1 },
    { x: -2, y: -1 },
  ];
  const areas = areasOf([bow]);
  expect(areas.map(([outline]) => outline?.length)).toEqual([3, 3]);
  expect(total(areas)).toBeCloseTo(4);
});

it('takes a boundary of a hundred thousand corners while a grower waits', () => {
  const corners = 100_000;
  const ring = Array.from({ length: corners }, (_, at) => {
    const turn = (2 * Math.PI * at) / corners;
    return { x: 50_000 * Math.cos(turn), y: 50_000 * Math.sin(turn) };
  });
  const from = performance.now();
  expect(areasOf([ring])[0]?.[0]).toHaveLength(corners);
  // Takes 0.3 s; a search through the ring for each corner takes minutes, on the fastest machine.
  expect(performance.now() - from).toBeLessThan(30_000);
}, 60_000);
