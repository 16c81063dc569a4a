import type { Facility } from '../../contract/facility.ts';
import type { ActuatorBinding } from '../../contract/facility-binding.ts';
import { computeCapacity } from '../capacity/compute.ts';
import { UnknownMaterialError } from '../capacity/materials.ts';
import { houseGeometry } from '../geometry/house.ts';
import { faceAzimuth_deg } from '../wind/faces.ts';
import type { ClimateHouse } from './moment.ts';

/**
 * Heat loss of a house for each K by the heating load at its design temperatures; null for a covering that nobody
 * knows.
 */
export function lossOf(facility: Facility): ClimateHouse['loss'] {
  try {
    const unscreened = { ...facility, curtains: facility.curtains.filter(({ kind }) => kind !== 'thermal') };
    const [open_w_k, screened_w_k] = [lossOf_w_k(unscreened), lossOf_w_k(facility)];
    return open_w_k === null || screened_w_k === null ? null : { open_w_k, screened_w_k };
  } catch (error) {
    if (error instanceof UnknownMaterialError) return null;
    throw error;
  }
}

function lossOf_w_k(facility: Facility): number | null {
  const { heating } = computeCapacity(facility).details;
  const rise_k = heating.indoor_c - heating.outdoor_c;
  return rise_k > 0 ? (1000 * heating.load_kw) / rise_k : null;
}

export function floorOf_m2(facility: Facility): number {
  return houseGeometry(facility).floor_area_m2;
}

/** The area that an irrigation valve waters, and its flow; without an area of its own, a share of the house. */
export function valveOf(
  { area_m2, rating_lph }: Pick<ActuatorBinding, 'area_m2' | 'rating_lph'>,
  share_m2: number,
): NonNullable<ClimateHouse['actuators'][number]['valve']> {
  return { area_m2: area_m2 ?? share_m2, l_h: rating_lph ?? null };
}

/** The direction of an actuator's face; null when the house or the actuator has none. */
export function azimuthOf(
  { wall }: Pick<ActuatorBinding, 'wall'>,
  orientation_deg: number | undefined,
): ClimateHouse['actuators'][number]['azimuth_deg'] {
  return wall === undefined || orientation_deg === undefined ? null : faceAzimuth_deg(wall, orientation_deg);
}
