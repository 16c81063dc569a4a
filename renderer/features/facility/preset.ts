import type { FacilityPreset, RoofType } from '../../../server/contract/facility.ts';

/** Usual figures of a kind of house: a start that the user changes, never stored on its own. */
export interface PresetShape {
  roof_type: RoofType;
  eave_height_m: number;
  ridge_height_m: number;
  material: string;
}

/** Ridge heights are above ground. */
export const presetShapes: Record<FacilityPreset, PresetShape> = {
  greenhouse: { roof_type: 'gable', eave_height_m: 3, ridge_height_m: 4.5, material: 'vinyl_double' },
  plastic_house: { roof_type: 'arch', eave_height_m: 1.8, ridge_height_m: 3.4, material: 'po_double' },
  venlo: { roof_type: 'gable', eave_height_m: 5, ridge_height_m: 5.9, material: 'glass_single' },
  nursery: { roof_type: 'gable', eave_height_m: 2.5, ridge_height_m: 3.8, material: 'polycarbonate_twin' },
  livestock: { roof_type: 'gable', eave_height_m: 3, ridge_height_m: 5, material: 'polycarbonate_triple' },
  storage: { roof_type: 'gable', eave_height_m: 3, ridge_height_m: 4.5, material: 'polycarbonate_triple' },
  other: { roof_type: 'gable', eave_height_m: 3, ridge_height_m: 4.5, material: 'vinyl_double' },
};
