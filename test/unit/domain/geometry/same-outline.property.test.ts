import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameOutline } from '../../../../server/domain/geometry/same-outline.ts';

type Ring = [number, number][];
const polygon = (...rings: Ring[]) => ({ type: 'Polygon' as const, coordinates: rings });
const multi = (...polygons: Ring[][]) => ({ type: 'MultiPolygon' as const, coordinates: polygons });
const closed = (corners: Ring): Ring => [...corners, corners[0] ?? [0, 0]];

const corners = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 50 })), {
    minLength: 3,
    maxLength: 9,
    selector: String,
  })
  .map((list): Ring => list.map(([x, y]) => [127 + x / 1000, 37 + y / 1000]));

describe('the same outline', () => {
  it('is it wherever its ring begins, whichever way it runs, and as a MultiPolygon of one', () => {
    fc.assert(
      fc.property(
        corners,
        fc.nat(8),
        fc.boolean(),
        fc.double({ min: -9e-7, max: 9e-7, noNaN: true }),
        (ring, turn, isBack, slip) => {
          const at = turn % ring.length;
          const turned = [...ring.slice(at), ...ring.slice(0, at)].map(([x, y]): [number, number] => [x + slip, y]);
          const other = closed(isBack ? turned.reverse() : turned);
          expect(isSameOutline(polygon(closed(ring)), polygon(other), 1e-6)).toBe(true);
          expect(isSameOutline(polygon(closed(ring)), multi([other]), 1e-6)).toBe(true);
        },
      ),
    );
  });

  it('is not one with a corner elsewhere, or one more', () => {
    fc.assert(
      fc.property(corners, fc.nat(8), (ring, index) => {
        const moved = ring.map(([x, y], at): [number, number] =>
          at === index % ring.length ? [x + 0.0001, y] : [x, y],
        );
        const more: Ring = [...ring, [126, 36]];
        for (const other of [moved, more]) {
          expect(isSameOutline(polygon(closed(ring)), polygon(closed(other)), 1e-6)).toBe(false);
        }
      }),
    );
  });

  it('has the same holes and parts, in any order', () => {
    const square = (x: number, size: number): Ring => closed([[x, x], [x + size, x], [x + size, x + size], [x, x + size]]); // prettier-ignore
    const [one, two, hole] = [square(0, 4), square(10, 4), square(1, 1)];
    expect(isSameOutline(multi([one, hole], [two]), multi([two], [one, hole]), 1e-6)).toBe(true);
    expect(isSameOutline(multi([one, hole], [two]), multi([two], [one]), 1e-6)).toBe(false);
    expect(isSameOutline(multi([one], [one]), multi([one], [two]), 1e-6)).toBe(false);
    expect(isSameOutline({ type: 'Point', coordinates: [1, 2] }, { type: 'Point', coordinates: [1, 2] }, 1)).toBe(
      false,
    );
  });
});
