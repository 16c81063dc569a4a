import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Feature, Geometry } from '../../../../server/contract/overlay.ts';
import { snapIndexOf, type Screen, type SnapIndex } from '../../../../renderer/map/snap-index.ts';

/** A screen of 1,000 px a degree, north up. */
const screen: Screen = {
  toPixel: ([lng = 0, lat = 0]) => ({ x: lng * 1_000, y: -lat * 1_000 }),
  toPosition: ({ x, y }) => [x / 1_000, -y / 1_000],
};

let made = 0;
function shape(geometry: Geometry): Feature {
  const unique_id = `00000000-0000-4000-8000-${String((made += 1)).padStart(12, '0')}`;
  return { type: 'Feature', geometry, properties: { type: 'zone', name: '', unique_id } };
}

const square = shape({
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [0.1, 0],
      [0.1, 0.1],
      [0, 0.1],
      [0, 0],
    ],
  ],
});

/** The index once it is made. */
function indexOf(...made: Parameters<typeof snapIndexOf>): SnapIndex {
  const work = snapIndexOf(...made);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

describe('what is drawn meets', () => {
  it.each([
    ['a corner', { x: 7, y: 5 }, { x: 0, y: 0 }],
    ['a corner rather than the side beside it', { x: 11, y: 1 }, { x: 0, y: 0 }],
    ['a side', { x: 50, y: 6 }, { x: 50, y: 0 }],
    ['the side that closes the outline', { x: -6, y: -40 }, { x: 0, y: -40 }],
    ['nothing that is too far', { x: 50, y: 9 }, null],
  ])('%s', (_name, at, met) => {
    expect(indexOf([square]).nearest(at, screen)).toEqual(met === null ? null : closeTo(met));
  });

  it('places and lines, whose ends are not joined', () => {
    const line = shape({
      type: 'LineString',
      coordinates: [
        [1, 0],
        [1.1, 0],
        [1.1, 0.1],
      ],
    });
    const index = indexOf([shape({ type: 'Point', coordinates: [2, 0] }), line]);
    expect(index.nearest({ x: 2_003, y: 3 }, screen)).toEqual(closeTo({ x: 2_000, y: 0 }));
    expect(index.nearest({ x: 1_050, y: 3 }, screen)).toEqual(closeTo({ x: 1_050, y: 0 }));
    expect(index.nearest({ x: 1_050, y: -50 }, screen)).toBeNull();
  });

  it('not the shape that is being changed, nor anything on an empty map', () => {
    expect(indexOf([square], new Set([square.properties.unique_id])).nearest({ x: 0, y: 0 }, screen)).toBeNull();
    expect(indexOf([]).nearest({ x: 0, y: 0 }, screen)).toBeNull();
  });

  it('never moves the hand further than a corner reaches', () => {
    const place = fc.record({ x: fc.integer({ min: -50, max: 150 }), y: fc.integer({ min: -150, max: 50 }) });
    const index = indexOf([square]);
    fc.assert(
      fc.property(place, (at) => {
        const met = index.nearest(at, screen);
        expect(met === null || Math.hypot(met.x - at.x, met.y - at.y) <= 12 + 1e-9).toBe(true);
      }),
    );
  });
});

function closeTo({ x, y }: { x: number; y: number }): unknown {
  return { x: expect.closeTo(x, 6) as number, y: expect.closeTo(y, 6) as number };
}
