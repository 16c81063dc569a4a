import { noteOf, type AssumptionNote } from '../../contract/assumption-note.ts';
import type { Assumption, Assumptions, Facility, GeometryTerms } from '../../contract/facility.ts';
import type { ExposedHouse } from './faces.ts';
import { defaultDischargeCoefficient } from './openings.ts';
import { leastLongRatio } from './pressure-coefficient.ts';

/** An assumption without a source of its own: a default of the product. */
export function assumed(value: number | string, unit: string | null, note: AssumptionNote): Assumption {
  return { value, unit, source: 'default', ...noteOf(note) };
}

/** The openings assumed when none are given. */
export function openingAssumptions(geometry: GeometryTerms): Assumptions {
  return {
    openings: assumed(0.4 * geometry.floor_area_m2, 'm2', 'no_openings'),
    ...dischargeNote(),
    ...extentNote(),
  };
}

/** The values assumed for openings without a discharge coefficient or a height of their own. */
export function givenOpeningAssumptions(house: Pick<Facility, 'openings'>): Assumptions {
  const { openings } = house;
  return {
    ...(openings.some((one) => one.discharge_coefficient === undefined) ? dischargeNote() : {}),
    ...(openings.some((one) => one.height_m === undefined) ? extentNote() : {}),
  };
}

function extentNote(): Assumptions {
  return { opening_extent: { value: 'strip', unit: null, source: 'derived', ...noteOf('whole_face') } };
}

function dischargeNote(): Assumptions {
  return { discharge_coefficient: assumed(defaultDischargeCoefficient, null, 'sharp_edged') };
}

/** The assumed direction of the front: along the axis of its shape, else north. */
export function orientationAssumption(given_deg: number | undefined, axis_deg: number | undefined): Assumptions {
  if (given_deg !== undefined) return {};
  if (axis_deg !== undefined) {
    return { orientation_deg: { value: axis_deg, unit: 'deg', source: 'derived', ...noteOf('along_shape') } };
  }
  return { orientation_deg: assumed(0, 'deg', 'faces_north') };
}

/** The values assumed for coefficients that no table has. */
export function roofAssumptions(house: ExposedHouse): Assumptions {
  const notes: Assumptions = {};
  const ratio = Math.max(house.length_m, house.width_m) / Math.min(house.length_m, house.width_m);
  if (ratio > leastLongRatio && (house.pitch_deg > 25 || house.roof === 'sawtooth')) {
    notes['roof_coefficients'] = assumed('square plan', null, 'square_plan');
  }
  if (house.roof === 'sawtooth') {
    notes['sawtooth_face'] = assumed('roof_left', null, 'sawtooth_left');
  }
  if (house.spans > 1) {
    notes['multi_span'] = { value: house.spans, unit: null, source: 'assumed', ...noteOf('span_shares') };
  }
  return notes;
}
