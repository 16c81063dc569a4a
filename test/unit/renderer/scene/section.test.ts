import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  builtWidth,
  pointAlong,
  riseOf,
  roofLine,
  sectionOf,
  type SectionShape,
} from '../../../../renderer/scene/section.ts';
import { roofTypes } from '../../../../server/contract/facility.ts';
import { roofSection } from '../../../../server/domain/geometry/section.ts';
import { resolveRidge } from '../../../../server/domain/geometry/house.ts';

const width = fc.double({ min: 1, max: 30, noNaN: true });
const rise = fc.double({ min: 0.01, max: 30, noNaN: true });
const roof = fc.constantFrom(...roofTypes);

function shape(changed: Partial<SectionShape> = {}): SectionShape {
  return {
    roof_type: 'gable',
    structure: 'connected',
    bay_count: 3,
    bay_width_m: 8,
    eave_height_m: 3,
    rise_m: 2,
    spacing_m: 2,
    ...changed,
  };
}

describe('roofLine', () => {
  it('begins and ends at the eave and never rises above the ridge', () => {
    fc.assert(
      fc.property(roof, width, rise, (type, width_m, rise_m) => {
        const line = roofLine(type, width_m, rise_m);
        expect(line.at(0)?.x).toBeCloseTo(0, 6);
        expect(line.at(0)?.y).toBeCloseTo(0, 6);
        expect(line.at(-1)).toEqual({ x: expect.closeTo(width_m, 6) as number, y: expect.closeTo(0, 6) as number });
        const highest = Math.max(...line.map(({ y }) => y));
        expect(highest).toBeCloseTo(type === 'flat' ? 0 : rise_m, 6);
      }),
    );
  });

  it('encloses the area that the calculation of the house uses', () => {
    fc.assert(
      fc.property(roof, width, rise, (type, width_m, rise_m) => {
        const line = roofLine(type, width_m, rise_m);
        const drawn_m2 = -shoelace(line);
        const true_m2 = roofSection(type, width_m, rise_m).area_m2;
        // An arch of 32 chords lies inside its circle by less than a hundredth of the area.
        expect(Math.abs(drawn_m2 - true_m2)).toBeLessThanOrEqual(true_m2 * 0.01 + 1e-9);
      }),
    );
  });
});

function shoelace(line: readonly { x: number; y: number }[]): number {
  return line.reduce((sum, from, index) => {
    const to = line[(index + 1) % line.length] ?? from;
    return sum + (from.x * to.y - to.x * from.y) / 2;
  }, 0);
}

describe('riseOf', () => {
  it('reads the ridge as the calculation does', () => {
    const height = fc.double({ min: 0.1, max: 20, noNaN: true });
    const reference = fc.constantFrom('ground' as const, 'eave' as const, undefined);
    fc.assert(
      fc.property(height, height, reference, roof, (eave_height_m, ridge_height_m, given, roof_type) => {
        const fields = { eave_height_m, ridge_height_m, roof_type, ...(given && { ridge_reference: given }) };
        const envelope = { ...fields, material: 'glass_single', bay_width_m: 8, length_m: 20 };
        expect(riseOf(fields)).toBeCloseTo(resolveRidge(envelope).rise_m, 9);
      }),
    );
  });
});

describe('sectionOf', () => {
  it('draws connected bays wall to wall', () => {
    const section = sectionOf(shape(), 5);
    expect(section.bays.map((bay) => bay.left_m)).toEqual([0, 8, 16]);
    expect(section).toMatchObject({ width_m: 24, height_m: 5, break_m: null });
  });

  it('draws detached bays with their spacing', () => {
    const detached = shape({ structure: 'single' });
    expect(sectionOf(detached, 5).bays.map((bay) => bay.left_m)).toEqual([0, 10, 20]);
    expect(sectionOf(detached, 5).width_m).toBe(builtWidth(detached));
  });

  it('leaves out the middle of many bays and keeps the number of the last', () => {
    const section = sectionOf(shape({ bay_count: 40 }), 4);
    expect(section.bays.map((bay) => bay.number)).toEqual([1, 2, 3, 40]);
    const [third, last] = section.bays.slice(-2);
    expect(section.break_m).toBeGreaterThan((third?.left_m ?? 0) + 8);
    expect(section.break_m).toBeLessThan(last?.left_m ?? 0);
  });

  it('makes room for an arch that bulges over its walls', () => {
    const hoop = sectionOf(shape({ roof_type: 'arch', bay_count: 1, rise_m: 6 }), 5);
    const [bay] = hoop.bays;
    const xs = bay?.roof.map(({ x }) => x) ?? [];
    expect(Math.min(...xs)).toBeCloseTo(0, 9);
    expect(Math.max(...xs)).toBeCloseTo(hoop.width_m, 9);
    expect(bay?.left_m).toBeGreaterThan(0);
  });

  it('says the built width of what it does not draw', () => {
    expect(builtWidth(shape({ bay_count: 40 }))).toBe(320);
    expect(builtWidth(shape({ bay_count: 1, structure: 'single' }))).toBe(8);
  });
});

describe('pointAlong', () => {
  it('walks a bent line by its length', () => {
    const line = [
      { x: 0, y: 0 },
      { x: 3, y: 4 },
      { x: 3, y: 9 },
    ];
    expect(pointAlong(line, 0.5)).toEqual({ x: 3, y: 4 });
    expect(pointAlong(line, 0.75)).toEqual({ x: 3, y: 6.5 });
    expect(pointAlong(line, 2)).toEqual({ x: 3, y: 9 });
  });
});
