import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  layOut,
  pathOf,
  placeDevices,
  roofFlaps,
  sideFlaps,
} from '../../../../../renderer/features/house/mimic-layout.ts';
import type { SectionShape } from '../../../../../renderer/scene/section.ts';
import { actuatorRoles, roofTypes, structures } from '../../../../../server/contract/facility.ts';

const metres = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const shapes: fc.Arbitrary<SectionShape> = fc.record({
  roof_type: fc.constantFrom(...roofTypes),
  structure: fc.constantFrom(...structures),
  bay_count: fc.integer({ min: 1, max: 200 }),
  bay_width_m: metres(1, 100),
  eave_height_m: metres(0.5, 20),
  rise_m: fc.oneof(fc.constant(0), metres(0.1, 20)),
  spacing_m: metres(0, 50),
});
const widths = fc.integer({ min: 260, max: 1_600 });

describe('layOut', () => {
  it('keeps every house inside its frame, whatever its proportions', () => {
    fc.assert(
      fc.property(shapes, widths, (shape, width) => {
        const { bays, covers, ground, posts } = layOut(shape, width);
        const points = [...covers.flat(), ...posts.map((x) => ({ x, y: ground }))];
        for (const { x, y } of points) {
          expect(x).toBeGreaterThanOrEqual(39.9);
          expect(x).toBeLessThanOrEqual(width - 39.9);
          expect(y).toBeGreaterThanOrEqual(33.9);
          expect(y).toBeLessThanOrEqual(ground + 0.1);
        }
        expect(bays.length).toBeLessThanOrEqual(Math.min(shape.bay_count, width / 26));
      }),
    );
  });

  it.each([
    [4, 310, 4],
    [8, 310, 8],
    [16, 700, 16],
    [60, 700, 18],
  ])('draws %i bays in %i px as %i, and a gap only where some are left out', (bay_count, width, drawn) => {
    const sizes = { bay_width_m: 8, eave_height_m: 4, rise_m: 2, spacing_m: 0 };
    const { bays, gap } = layOut({ roof_type: 'gable', structure: 'connected', bay_count, ...sizes }, width);
    expect([bays.length, gap === null]).toEqual([drawn, drawn === bay_count]);
  });

  it('gives gutter-connected bays outer walls only', () => {
    const shape = {
      roof_type: 'gable',
      bay_count: 3,
      bay_width_m: 8,
      eave_height_m: 3,
      rise_m: 2,
      spacing_m: 2,
    } as const;
    const walls = (structure: SectionShape['structure']) => {
      const { covers, ground } = layOut({ ...shape, structure }, 1_000);
      return covers.flat().filter(({ y }) => y === ground).length;
    };
    expect(walls('connected')).toBe(2);
    expect(walls('single')).toBe(6);
    expect(layOut({ ...shape, structure: 'single' }, 1_000).posts).toEqual([]);
  });
});

describe('the vents', () => {
  it('lie in the covering when shut and stand outside when open', () => {
    fc.assert(
      fc.property(shapes, metres(5, 100), (shape, pct) => {
        const layout = layOut(shape, 900);
        for (const flap of [...roofFlaps(layout, 0), ...sideFlaps(layout, 0)]) {
          expect(flap.end.x).toBeCloseTo(flap.rest.x, 6);
          expect(flap.end.y).toBeCloseTo(flap.rest.y, 6);
        }
        for (const flap of roofFlaps(layout, pct)) expect(flap.end.y).toBeLessThan(flap.rest.y);
        const [left, right] = sideFlaps(layout, pct);
        expect(left?.end.x).toBeLessThan(layout.inside.left);
        expect(right?.end.x).toBeGreaterThan(layout.inside.right);
      }),
    );
  });
});

describe('placeDevices', () => {
  it('draws every role once, unless it is drawn as a vent or curtain', () => {
    const states = actuatorRoles.map((role) => ({ role, position_pct: 0, count: 1 }));
    const shape: SectionShape = {
      roof_type: 'arch',
      structure: 'single',
      bay_count: 1,
      bay_width_m: 8,
      eave_height_m: 2,
      rise_m: 2,
      spacing_m: 0,
    };
    const layout = layOut(shape, 900);
    const placed = placeDevices(states, layout);
    const drawnOtherwise = ['side_vent', 'roof_vent', 'thermal_curtain', 'shade_curtain'];
    expect(placed.map(({ state }) => state.role).toSorted()).toEqual(
      actuatorRoles.filter((role) => !drawnOtherwise.includes(role)).toSorted(),
    );
    for (const { x, y } of placed) {
      expect(x).toBeGreaterThan(layout.inside.left);
      expect(x).toBeLessThan(layout.inside.right);
      expect(y).toBeGreaterThan(layout.eave);
      expect(y).toBeLessThan(layout.ground);
    }
  });
});

describe('pathOf', () => {
  it('moves to the first point and draws lines to the others', () => {
    expect(
      pathOf([
        { x: 1, y: 2 },
        { x: 3.04, y: 4 },
      ]),
    ).toBe('M1.0 2.0L3.0 4.0');
  });
});
