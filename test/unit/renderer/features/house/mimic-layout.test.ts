import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  layOut,
  pathOf,
  placeDevices,
  ridgeFlaps,
  roofFlaps,
  sideFlaps,
  type Flap,
} from '../../../../../renderer/features/house/mimic-layout.ts';
import type { DrawnDevice } from '../../../../../renderer/features/house/mimic.ts';
import type { SectionShape } from '../../../../../renderer/scene/section.ts';
import { actuatorRoles, roofTypes, structures, type ActuatorRole } from '../../../../../server/contract/facility.ts';

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

const device = (role: ActuatorRole, position_pct: number, key = `${role}`): DrawnDevice => ({
  key,
  role,
  position_pct,
  name: '',
  place: 'sides',
  side: null,
  isSwitch: false,
});
const vents = (...positions: number[]): DrawnDevice[] =>
  positions.map((pct, index) => device('side_vent', pct, String(index)));

describe('the vents', () => {
  it('lie in the covering when shut and stand outside when open', () => {
    fc.assert(
      fc.property(shapes, metres(5, 100), (shape, pct) => {
        const layout = layOut(shape, 900);
        for (const side of ['left', 'right'] as const) {
          const [shut, open] = [vents(0, 0), vents(pct, pct)];
          for (const flap of [...roofFlaps(layout, shut, { side }), ...sideFlaps(layout, shut, side)]) {
            expect(flap.end.x).toBeCloseTo(flap.rest.x, 6);
            expect(flap.end.y).toBeCloseTo(flap.rest.y, 6);
          }
          // Outdoors is above a slope, and left of an upright one.
          for (const { rest, end } of roofFlaps(layout, open, { side }))
            expect(end.y < rest.y || (side === 'left' && end.x < rest.x)).toBe(true);
          for (const { end } of sideFlaps(layout, open, side))
            expect((end.x - layout.inside[side]) * (side === 'left' ? -1 : 1)).toBeGreaterThan(0);
        }
      }),
    );
  });

  it('of two drives are two, each as far open as its own', () => {
    const shape = { bay_width_m: 8, eave_height_m: 4, rise_m: 2, spacing_m: 0 };
    const layout = layOut({ ...shape, roof_type: 'gable', structure: 'connected', bay_count: 4 }, 900);
    const isOpen = ({ rest, end }: Flap): boolean => Math.hypot(rest.x - end.x, rest.y - end.y) > 1;
    expect(sideFlaps(layout, vents(60, 0), 'left').map(isOpen)).toEqual([true, false]);
    expect(roofFlaps(layout, vents(60, 0), { side: 'right' }).map(isOpen)).toEqual([true, true, false, false]);
  });
});

describe('ridge vents', () => {
  it('open outwards on either side of the ridge, clear of the vents of the slopes below', () => {
    fc.assert(
      fc.property(shapes, metres(5, 100), (shape, pct) => {
        const layout = layOut(shape, 900);
        const ridge = ridgeFlaps(layout, vents(pct));
        expect(ridge).toHaveLength(2 * layout.bays.length);
        const top = (one: Flap): number => Math.min(one.hinge.y, one.rest.y);
        const slopes = roofFlaps(layout, vents(pct), { side: 'right', hasRidge: true });
        for (const [bay, own] of slopes.entries()) {
          const above = ridge[layout.bays.length + bay];
          expect(above && own.hinge.x > above.rest.x).toBe(true);
          expect(above && top(above) <= top(own)).toBe(true);
        }
      }),
    );
  });
});

describe('placeDevices', () => {
  const shape = { roof_type: 'arch', structure: 'single', bay_count: 1, bay_width_m: 8 } as const;
  const layout = layOut({ ...shape, eave_height_m: 2, rise_m: 2, spacing_m: 0 }, 900);

  it('draws every role once, unless it is drawn as a vent or curtain', () => {
    const placed = placeDevices(
      actuatorRoles.map((role) => device(role, 0)),
      layout,
    );
    const drawnOtherwise = ['side_vent', 'roof_vent', 'thermal_curtain', 'shade_curtain'];
    expect(placed.map(({ devices: [first] }) => first.role).toSorted()).toEqual(
      actuatorRoles.filter((role) => !drawnOtherwise.includes(role)).toSorted(),
    );
    for (const { x, y } of placed) {
      expect(x).toBeGreaterThan(layout.inside.left);
      expect(x).toBeLessThan(layout.inside.right);
      expect(y).toBeGreaterThan(layout.eave);
      expect(y).toBeLessThan(layout.ground);
    }
  });

  it('draws a vent in an end wall face on', () => {
    const ends = [
      { ...device('side_vent', 30), place: 'end' as const },
      device('roof_vent', 30),
      { ...device('heater', 0), place: 'end' as const },
    ];
    expect(placeDevices(ends, layout).map(({ devices: [first] }) => first.role)).toEqual(['side_vent', 'heater']);
  });

  it('draws each of a role where there is room, else all of it as one', () => {
    const heaters = (n: number) => Array.from({ length: n }, (_, at) => device('heater', at % 2, String(at)));
    const counts = (n: number) => placeDevices(heaters(n), layout).map(({ devices }) => devices.length);
    expect(counts(2)).toEqual([1, 1]);
    expect(counts(40)).toEqual([40]);
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
