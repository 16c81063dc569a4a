import type { Envelope, GeometryTerms, RidgeReference, RoofType, Structure } from '../../contract/facility.ts';
import { roofSection } from './section.ts';

export interface HouseShape {
  envelope: Envelope;
  bay_count: number;
  /** Default connected when there is more than one bay. */
  structure?: Structure | undefined;
}

export interface Ridge {
  reference: RidgeReference;
  /** Whether the request named the reference. */
  given: boolean;
  above_ground_m: number;
  /** Above the eave; 0 when the ridge is below the eave or the roof is flat. */
  rise_m: number;
}

/** gable unless the envelope names another. */
export function roofTypeOf(envelope: Envelope): RoofType {
  return envelope.roof_type ?? 'gable';
}

/** Several bays are connected unless they are said to be detached. */
export function structureOf(shape: HouseShape): Structure {
  return shape.structure ?? (shape.bay_count > 1 ? 'connected' : 'single');
}

/** The height of the ridge: without a reference it is measured from the ground unless it would be below the eave. */
export function resolveRidge(envelope: Envelope): Ridge {
  const { eave_height_m, ridge_height_m, ridge_reference } = envelope;
  const reference = ridge_reference ?? (ridge_height_m >= eave_height_m ? 'ground' : 'eave');
  const measured_m = reference === 'ground' ? ridge_height_m - eave_height_m : ridge_height_m;
  const rise_m = roofTypeOf(envelope) === 'flat' ? 0 : Math.max(0, measured_m);
  return { reference, given: ridge_reference !== undefined, above_ground_m: eave_height_m + rise_m, rise_m };
}

/**
 * Areas, lengths and volume of a house of n bays. Connected bays share their gutters: two side walls and one perimeter;
 * detached bays are n houses of one bay.
 */
export function houseGeometry(shape: HouseShape): GeometryTerms {
  const { bay_width_m: width_m, length_m, eave_height_m: eave_m } = shape.envelope;
  const structure = structureOf(shape);
  const bays = shape.bay_count;
  const house_count = structure === 'single' ? bays : 1;
  const ridge = resolveRidge(shape.envelope);
  const roof = roofSection(roofTypeOf(shape.envelope), width_m, ridge.rise_m);
  const section_m2 = width_m * eave_m + roof.area_m2;
  const roof_area_m2 = bays * length_m * roof.line_m;
  const side_area_m2 = house_count * 2 * length_m * eave_m;
  const end_area_m2 = 2 * bays * section_m2;
  return {
    structure,
    ridge_reference: ridge.reference,
    ridge_above_ground_m: ridge.above_ground_m,
    rise_m: ridge.rise_m,
    slope_m: roof.line_m,
    pitch_deg: roof.pitch_deg,
    floor_area_m2: bays * width_m * length_m,
    roof_area_m2,
    side_area_m2,
    end_area_m2,
    envelope_area_m2: roof_area_m2 + side_area_m2 + end_area_m2,
    perimeter_m: 2 * (bays * width_m + house_count * length_m),
    volume_m3: bays * length_m * section_m2,
    house_count,
  };
}
