import { describe, expect, it } from 'vitest';
import type { Face } from '../../../../server/contract/facility.ts';
import type { Outline } from '../../../../renderer/scene/bays.ts';
import { openingsInSection } from '../../../../renderer/scene/section-openings.ts';
import { sectionOf } from '../../../../renderer/scene/section.ts';

const house: Outline = {
  roof_type: 'gable',
  structure: 'connected',
  bay_count: 6,
  bay_width_m: 8,
  length_m: 50,
  eave_height_m: 3,
  rise_m: 1.5,
  spacing_m: 2,
};

/** Lowest and highest point, m, and the sides, of each line drawn for an opening of 45 m2 in a house. */
function drawn(face: Face, outline: Outline = house, centre_height_m = 1.5) {
  const section = sectionOf(outline, 4);
  const opening = { id: 'one', name: 'One', face, area_m2: 45, centre_height_m };
  return openingsInSection(outline, section, [opening]).map(({ line, isEnd }) => {
    const [xs, ys] = [line.map(({ x }) => x), line.map(({ y }) => y)];
    return { isEnd, left: Math.min(...xs), right: Math.max(...xs), foot: Math.min(...ys), top: Math.max(...ys) };
  });
}

describe('openingsInSection', () => {
  it('draws a side vent on the outer wall, at its height', () => {
    const [left, ...others] = drawn('left');
    expect(others).toEqual([]);
    expect(left).toMatchObject({ left: 0, right: 0 });
    expect(((left?.foot ?? NaN) + (left?.top ?? NaN)) / 2).toBeCloseTo(1.5, 6);
  });

  it('draws that of the right wall on the last bay, past the break', () => {
    const { width_m } = sectionOf(house, 4);
    expect(drawn('right')).toMatchObject([{ left: width_m, right: width_m }]);
  });

  it('draws a vent at the ridge on both slopes of each bay that is shown, below the ridge and above the eave', () => {
    const lines = drawn('ridge', house, 4.5);
    expect(lines).toHaveLength(8);
    for (const { foot, top } of lines) {
      expect(foot).toBeGreaterThan(3);
      expect(top).toBeLessThanOrEqual(4.5);
      expect(top).toBeGreaterThan(4.3);
    }
  });

  it('draws one wall a bay where bays stand apart', () => {
    const apart: Outline = { ...house, structure: 'single', bay_count: 3 };
    expect(drawn('left', apart).map(({ left }) => left)).toEqual([0, 10, 20]);
    expect(drawn('right', apart).map(({ left }) => left)).toEqual([8, 18, 28]);
  });

  it('draws the outline of one in an end wall within its bay', () => {
    const [door] = drawn('front', { ...house, bay_count: 1 });
    expect(door?.isEnd).toBe(true);
    expect(door?.left).toBeGreaterThanOrEqual(0);
    expect(door?.right).toBeLessThanOrEqual(8);
    expect(door?.foot).toBeGreaterThanOrEqual(0);
  });
});
