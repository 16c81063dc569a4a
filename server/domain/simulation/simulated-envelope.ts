import type { Envelope } from '../../contract/facility.ts';

/** The simulated house: one gable bay with a mean air height of 4.1 m over its floor, the air column of the model. */
export const simulatedEnvelope = {
  material: 'glass_single',
  bay_width_m: 8,
  length_m: 50,
  eave_height_m: 3.3,
  ridge_height_m: 4.9,
} as const satisfies Envelope;

const floor_area_m2 = simulatedEnvelope.bay_width_m * simulatedEnvelope.length_m;

/** Its vents, fully open: the area on each of the two sides, and that of both slopes together. */
export const simulatedVents = { side_vent_area_m2: 0.15 * floor_area_m2, roof_vent_area_m2: 0.1 * floor_area_m2 };
