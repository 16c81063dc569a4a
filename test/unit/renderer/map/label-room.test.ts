import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LabelRoom, overlaps, type ScreenBox } from '../../../../renderer/map/label-room.ts';

const box = (left: number, top: number, width = 60, height = 16): ScreenBox => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});

describe('the room for names on the map', () => {
  it.each<[what: string, second: ScreenBox, isFree: boolean]>([
    ['the same place', box(0, 0), false],
    ['half beside it', box(30, 8), false],
    ['touching at its side', box(60, 0), true],
    ['touching from below', box(0, 16), true],
    ['far away', box(1000, -500), true],
    ['around it', box(-200, -200, 900, 900), false],
  ])('takes one name and then, %s, another', (_what, second, isFree) => {
    const room = new LabelRoom();
    expect(room.takeFree(box(0, 0))).toBe(true);
    expect(room.takeFree(second)).toBe(isFree);
  });

  it('lets no two overlap, and refuses none that would not', () => {
    const boxes = fc.array(
      fc
        .tuple(
          fc.integer({ min: -400, max: 400 }),
          fc.integer({ min: -400, max: 400 }),
          fc.integer({ min: 1, max: 300 }),
          fc.integer({ min: 1, max: 300 }),
        )
        .map(([left, top, width, height]) => box(left, top, width, height)),
    );
    fc.assert(
      fc.property(boxes, (wanted) => {
        const room = new LabelRoom();
        const taken: ScreenBox[] = [];
        for (const one of wanted) {
          const isFree = !taken.some((other) => overlaps(one, other));
          expect(room.takeFree(one)).toBe(isFree);
          if (isFree) taken.push(one);
        }
      }),
    );
  });
});
