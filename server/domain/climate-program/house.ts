import type { Facility } from '../../contract/facility.ts';
import type { ActuatorBinding } from '../../contract/facility-binding.ts';
import { computeCapacity } from '../capacity/compute.ts';
import { UnknownMaterialError } from '../capacity/materials.ts';
import { faceAzimuth_deg } from '../wind/faces.ts';
import type { ClimateHouse } from './moment.ts';

/** Heat loss of a house for each K, W/K, by the heating load at its design temperatures; null for a covering that nobody knows. */
export function lossOf_w_k(facility: Facility): number | null {
  try {
    const { heating } = computeCapacity(facility).details;
    const rise_k = heating.indoor_c - heating.outdoor_c;
    return rise_k > 0 ? (1000 * heating.load_kw) / rise_k : null;
  } catch (error) {
    if (error instanceof UnknownMaterialError) return null;
    throw error;
  }
}

/** What all heaters can give together, kW; null where one of them has no rating, or there is none. */
export function heatingOf_kw(actuators: readonly Pick<ActuatorBinding, 'role' | 'rating_kw'>[]): number | null {
  const ratings = actuators.filter(({ role }) => role === 'heater').map(({ rating_kw }) => rating_kw);
  const sum = ratings.reduce<number | null>(
    (total, one) => (total === null || one === undefined ? null : total + one),
    0,
  );
  return sum === 0 ? null : sum;
}

/** Where an actuator's face looks; null where the house or the actuator does not say. */
export function azimuthOf(
  { wall }: Pick<ActuatorBinding, 'wall'>,
  orientation_deg: number | undefined,
): ClimateHouse['actuators'][number]['azimuth_deg'] {
  return wall === undefined || orientation_deg === undefined ? null : faceAzimuth_deg(wall, orientation_deg);
}
