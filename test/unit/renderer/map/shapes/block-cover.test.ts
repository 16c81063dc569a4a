import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BlockCover } from '../../../../../renderer/map/shapes/block-cover.ts';

const [width, height] = [12, 9];
const block = fc.tuple(
  fc.integer({ min: -4, max: width + 4 }),
  fc.integer({ min: -4, max: height + 4 }),
  fc.integer({ min: 0, max: 6 }),
  fc.integer({ min: 0, max: 6 }),
);

describe('the cover of blocks', () => {
  it('has each point of any block once, none beside them, and at least one of each block on the canvas', () => {
    fc.assert(
      fc.property(fc.array(block), (blocks) => {
        const cover = new BlockCover(width, height);
        for (const one of blocks) cover.take(...one);
        const points = [...cover.runs()].flatMap(({ x, y, length }) =>
          Array.from({ length }, (_, at) => `${x + at} ${y}`),
        );
        const wanted = new Set<string>();
        for (const [left, top, wide, high] of blocks) {
          for (let x = left; x < left + Math.max(1, wide); x += 1) {
            for (let y = top; y < top + Math.max(1, high); y += 1) {
              if (x >= 0 && x < width && y >= 0 && y < height) wanted.add(`${x} ${y}`);
            }
          }
        }
        expect(points.toSorted()).toEqual([...wanted].sort());
      }),
    );
  });

  it('is of whole points', () => {
    const cover = new BlockCover(width, height);
    cover.take(1.6, 2.4, 1.5, 1.5);
    expect([...cover.runs()]).toEqual([
      { x: 2, y: 2, length: 1 },
      { x: 2, y: 3, length: 1 },
    ]);
  });
});
