import { describe, expect, it } from 'vitest';
import { outline, rectangle } from '../../../../renderer/map/outline.ts';

const counterClockwise = [
  [0, 0],
  [1, 0],
  [1, 1],
];

describe('outline', () => {
  it('closes the ring and turns it counter-clockwise', () => {
    expect(outline(counterClockwise)).toEqual({ type: 'Polygon', coordinates: [[...counterClockwise, [0, 0]]] });
    expect(outline(counterClockwise.toReversed())).toEqual({
      type: 'Polygon',
      coordinates: [[...counterClockwise, [0, 0]]],
    });
  });
});

describe('rectangle', () => {
  it('has four corners of two opposite ones', () => {
    expect(rectangle([0, 0], [2, 1])).toEqual([
      [0, 0],
      [2, 0],
      [2, 1],
      [0, 1],
    ]);
  });
});
