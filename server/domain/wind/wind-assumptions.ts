import type { Assumptions, Facility, GeometryTerms } from '../../contract/facility.ts';
import type { ExposedHouse } from './faces.ts';
import { defaultDischargeCoefficient } from './openings.ts';
import { leastLongRatio } from './pressure-coefficient.ts';

/** An assumption without a source of its own: a default of the product. */
export function assumed(value: number | string, unit: string | null, note: string): Assumptions[string] {
  return { value, unit, source: 'default', note };
}

/** The openings that stand in for missing ones. */
export function openingAssumptions(geometry: GeometryTerms): Assumptions {
  return {
    openings: assumed(
      0.4 * geometry.floor_area_m2,
      'm2',
      'No openings given: each long side opens 0.15 of the floor at half the eave height, the ridge 0.10 of it.',
    ),
    ...dischargeNote(),
    ...extentNote(),
  };
}

/** What stands in where openings give no discharge coefficient or no height of their own. */
export function givenOpeningAssumptions(house: Pick<Facility, 'openings'>): Assumptions {
  const { openings } = house;
  return {
    ...(openings.some((one) => one.discharge_coefficient === undefined) ? dischargeNote() : {}),
    ...(openings.some((one) => one.height_m === undefined) ? extentNote() : {}),
  };
}

function extentNote(): Assumptions {
  const note = 'An opening of which only the area is given counts as a strip along its whole face.';
  return { opening_extent: { value: 'strip', unit: null, source: 'derived', note } };
}

function dischargeNote(): Assumptions {
  return { discharge_coefficient: assumed(defaultDischargeCoefficient, null, 'Sharp-edged opening.') };
}

/** Where the front looks, when the house does not say it: along the axis of its shape, else north. */
export function orientationAssumption(given_deg: number | undefined, axis_deg: number | undefined): Assumptions {
  if (given_deg !== undefined) return {};
  if (axis_deg !== undefined) {
    const note = 'No orientation given: the length is taken along the long axis of the shape.';
    return { orientation_deg: { value: axis_deg, unit: 'deg', source: 'derived', note } };
  }
  return { orientation_deg: assumed(0, 'deg', 'No orientation and no shape: the front looks north.') };
}

/** What stands in for coefficients that no table gives. */
export function roofAssumptions(house: ExposedHouse): Assumptions {
  const notes: Assumptions = {};
  const ratio = Math.max(house.length_m, house.width_m) / Math.min(house.length_m, house.width_m);
  if (ratio > leastLongRatio && (house.pitch_deg > 25 || house.roof === 'sawtooth')) {
    notes['roof_coefficients'] = assumed(
      'square plan',
      null,
      'Above 30 degrees, blended in from 25, the coefficients of a square plan stand in for those of a long one.',
    );
  }
  if (house.roof === 'sawtooth') {
    notes['sawtooth_face'] = assumed('roof_left', null, 'The vertical face of each bay looks left.');
  }
  if (house.spans > 1) {
    const note = 'Roof coefficients count 1.0 for the first span, 0.8 for the second, 0.6 from the third.';
    notes['multi_span'] = { value: house.spans, unit: null, source: 'assumed', note };
  }
  return notes;
}
