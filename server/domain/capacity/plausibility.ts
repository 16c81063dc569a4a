import type {
  ComputeRequest,
  ComputeWarning,
  Face,
  GeometryTerms,
  Opening,
  VentilationTerms,
} from '../../contract/facility.ts';
import { resolveRidge, roofTypeOf } from '../geometry/house.ts';
import { centreFault } from '../geometry/centre-height.ts';
import { openingArea } from '../wind/openings.ts';
import type { DesignValues } from './design.ts';

interface Check extends ComputeWarning {
  when: boolean;
}

/** Warnings for figures that can be computed but are probably not meant. */
export function implausibilities(
  request: ComputeRequest,
  geometry: GeometryTerms,
  drawn_area_m2?: number,
): ComputeWarning[] {
  return shown([
    ...shapeChecks(request, geometry),
    ...openingChecks(request, geometry),
    footprintCheck(geometry, drawn_area_m2),
  ]);
}

/** Design conditions unusual for any crop or house, and fans that would not suffice. */
export function unusualDesign(
  { heating_indoor_c: indoor_c, air_changes_per_h }: DesignValues,
  { fan_m3h, natural_m3h, forced_m3h }: VentilationTerms,
): ComputeWarning[] {
  const moved_m3h = (fan_m3h ?? 0) + natural_m3h;
  const checks: Check[] = [
    {
      code: 'indoor_unusual',
      when: indoor_c < 0 || indoor_c > 35,
      message: `${indoor_c} °C is no temperature that a crop is held at.`,
    },
    {
      code: 'air_changes_unusual',
      when: air_changes_per_h > 10,
      message: `${air_changes_per_h} air changes an hour is more than a closed house leaks.`,
    },
    {
      // Circulation fans alone mean that the house is ventilated by its openings.
      code: 'fans_below_need',
      when: fan_m3h !== null && fan_m3h > 0 && moved_m3h < forced_m3h,
      message: `Fans and openings without wind move ${Math.round(moved_m3h)} m³/h of the ${Math.round(forced_m3h)} m³/h that are needed.`,
    },
  ];
  return shown(checks);
}

function shown(checks: readonly Check[]): ComputeWarning[] {
  return checks.filter((check) => check.when).map(({ code, message }) => ({ code, message }));
}

function shapeChecks(request: ComputeRequest, geometry: GeometryTerms): Check[] {
  const { bay_width_m, length_m, eave_height_m, ridge_height_m } = request.envelope;
  const pitched = roofTypeOf(request.envelope) !== 'flat';
  const fromGround = resolveRidge(request.envelope).reference === 'ground';
  const { rise_m, pitch_deg } = geometry;
  return [
    {
      code: 'ridge_below_eave',
      when: pitched && fromGround && ridge_height_m < eave_height_m,
      message: `Ridge at ${ridge_height_m} m, eave at ${eave_height_m} m above ground: the roof is treated as flat.`,
    },
    {
      code: 'ridge_equals_eave',
      when: pitched && fromGround && ridge_height_m === eave_height_m,
      message: `Ridge and eave both at ${eave_height_m} m above ground: the roof is treated as flat.`,
    },
    {
      code: 'roof_nearly_flat',
      when: pitched && rise_m > 0 && pitch_deg < 5,
      message: `The roof rises ${round(rise_m)} m over a bay of ${bay_width_m} m: a pitch of only ${round(pitch_deg)}°.`,
    },
    {
      code: 'roof_steep',
      when: rise_m > bay_width_m,
      message: `The roof rises ${round(rise_m)} m over a bay of ${bay_width_m} m. Is the ridge measured from the eave?`,
    },
    { code: 'bay_wide', when: bay_width_m > 30, message: `A bay of ${bay_width_m} m is wider than houses are built.` },
    {
      code: 'bay_narrow',
      when: bay_width_m < 2,
      message: `A bay of ${bay_width_m} m is narrower than houses are built.`,
    },
    { code: 'house_short', when: length_m < 2, message: `A house of ${length_m} m is shorter than houses are built.` },
    { code: 'eave_low', when: eave_height_m < 1, message: `An eave of ${eave_height_m} m is too low to walk under.` },
    {
      code: 'eave_high',
      when: eave_height_m > 12,
      message: `An eave of ${eave_height_m} m is higher than houses are built.`,
    },
  ];
}

function openingChecks(request: ComputeRequest, geometry: GeometryTerms): Check[] {
  const openings = request.openings ?? [];
  const { ridge_above_ground_m: ridge_m, rise_m } = geometry;
  const heights = { eave_height_m: request.envelope.eave_height_m, rise_m };
  const high = openings.filter((one) => one.centre_height_m > ridge_m);
  const off = openings.filter(
    (one) => !high.includes(one) && centreFault(one.face, one.centre_height_m, heights) !== null,
  );
  const open_m2 = new Map<Face, number>();
  for (const one of openings) open_m2.set(one.face, (open_m2.get(one.face) ?? 0) + openingArea(one));
  const large = [...open_m2].filter(([face, area]) => area > faceArea(face, geometry)).map(([face]) => face);
  return [
    {
      code: 'opening_above_ridge',
      when: high.length > 0,
      message: `Above the ridge (${round(ridge_m)} m): ${named(high)}.`,
    },
    {
      code: 'opening_off_face',
      when: off.length > 0,
      message: `The centre is not in the wall or roof where the opening is: ${named(off)}.`,
    },
    {
      code: 'openings_larger_than_face',
      when: large.length > 0,
      message: `More open than there is: ${large.join(', ')}.`,
    },
  ];
}

const named = (openings: readonly Opening[]): string => openings.map(({ name }) => name).join(', ');

/** Tolerance of a drawn shape's area, as a share of the floor. */
const footprintTolerance = 0.05;

/**
 * Detached bays are drawn with the ground between them, which the request does not describe: only one body is compared.
 */
function footprintCheck({ floor_area_m2, house_count }: GeometryTerms, drawn_m2: number | undefined): Check {
  const differs = drawn_m2 !== undefined && Math.abs(drawn_m2 - floor_area_m2) > footprintTolerance * floor_area_m2;
  return {
    code: 'footprint_differs',
    when: house_count === 1 && differs,
    message: `The floor is ${Math.round(floor_area_m2)} m², the drawn shape ${Math.round(drawn_m2 ?? 0)} m².`,
  };
}

function faceArea(face: Face, geometry: GeometryTerms): number {
  switch (face) {
    case 'front':
    case 'back':
      return geometry.end_area_m2 / 2;
    case 'right':
    case 'left':
      return geometry.side_area_m2 / 2;
    case 'roof_right':
    case 'roof_left':
    case 'ridge':
      return geometry.roof_area_m2;
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
