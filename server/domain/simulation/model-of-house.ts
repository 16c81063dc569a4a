import type { Rehearsal } from '../../contract/climate-rehearsal.ts';
import type { Facility } from '../../contract/facility.ts';
import type { ActuatorBinding, ActuatorRole } from '../../contract/facility-binding.ts';
import { outsideFilm_w_m2k } from '../capacity/cooling.ts';
import { meanTransmission, readCovering, type Transmission } from '../capacity/covering.ts';
import { computeCapacity } from '../capacity/compute.ts';
import type { SiteContext } from '../capacity/design.ts';
import { materials } from '../capacity/materials.ts';
import { heatingOf_kw, heatRoles } from '../capacity/rated-heat.ts';
import { co2Gas_kg_m3, lampRadiantShare, usual } from '../capacity/usual-equipment.ts';
import { houseGeometry, roofTypeOf } from '../geometry/house.ts';
import type { ModelHouse } from './house-model.ts';
import { simulatedHouse } from './simulated-house.ts';
import { exposedHouse } from '../wind/faces.ts';
import { placeOpenings } from '../wind/openings.ts';

type Assumed = Rehearsal['assumed'];

/**
 * The model of a house as drawn and equipped. A bound actuator without a rating gets the usual size for the floor,
 * which is reported: heat from the heating load with its margin for hot water, the rest by `usual`. Throws
 * UnknownMaterialError.
 */
export function modelOfHouse(facility: Facility, site: SiteContext): { model: ModelHouse; assumed: Assumed } {
  const geometry = houseGeometry(facility);
  const { envelope, actuators } = facility;
  const floor_area_m2 = geometry.floor_area_m2;
  const covering = readCovering(facility, materials);
  const { heating } = computeCapacity(facility, site).details;
  const { openings, assumed } = placeOpenings(facility.openings, geometry, envelope);
  const loss = (faces: Transmission): number => {
    const { roof_u_w_m2k, wall_u_w_m2k } = meanTransmission(geometry, faces);
    return (roof_u_w_m2k * geometry.roof_area_m2 + wall_u_w_m2k * walls_m2) / floor_area_m2;
  };
  const walls_m2 = geometry.side_area_m2 + geometry.end_area_m2;
  const loss_w_m2k = loss(covering.day);
  const area_share = (geometry.roof_area_m2 + walls_m2) / floor_area_m2;
  const heat_kw = heatingOf_kw(actuators);
  const fans_m3h = ratingOf(actuators, 'exhaust_fan', 'rating_m3h');
  const co2_m3h = ratingOf(actuators, 'co2_supply', 'rating_m3h');
  const fog_lph = ratingOf(actuators, 'fogger', 'rating_lph');
  const lamps_kw = ratingOf(actuators, 'lighting', 'rating_kw');
  const has = (role: ActuatorRole): boolean => actuators.some((one) => one.role === role);
  return {
    model: {
      floor_area_m2,
      volume_m3: geometry.volume_m3,
      perimeter_m: geometry.perimeter_m,
      ground: heating,
      exposure: exposedHouse(geometry, {
        bay_width_m: envelope.bay_width_m,
        length_m: envelope.length_m,
        bay_count: facility.bay_count,
        roof: roofTypeOf(envelope),
        orientation_deg: facility.view_3d.orientation_deg ?? 0,
      }),
      vents: {
        side_vent: openings.filter(({ face }) => !isRoofFace(face)),
        roof_vent: openings.filter(({ face }) => isRoofFace(face)),
      },
      loss_w_m2k,
      screened_w_m2k: loss(covering.night),
      cover: { area_share, u_w_m2k: loss_w_m2k / area_share, outsideFilm_w_m2k },
      light_transmittance: covering.transmittance,
      heater_w: 1000 * (heat_kw ?? heating.installed_hot_water_kw),
      fan_m3h: fans_m3h ?? usual.fan_m3h_m2 * floor_area_m2,
      co2_kg_h: co2_m3h === null ? usual.co2_kg_h_m2 * floor_area_m2 : co2_m3h * co2Gas_kg_m3,
      fogger_kg_h: fog_lph ?? usual.fog_kg_h_m2 * floor_area_m2,
      lighting_w_m2:
        lamps_kw === null ? simulatedHouse.lighting_w_m2 : (1000 * lampRadiantShare * lamps_kw) / floor_area_m2,
      shade_share: covering.shade_factor < 1 ? 1 - covering.shade_factor : simulatedHouse.shade_share,
    },
    assumed: [
      ...(heat_kw === null && heatRoles.some(has) ? (['heater'] as const) : []),
      ...(assumed && (has('roof_vent') || has('side_vent')) ? (['vents'] as const) : []),
      ...(fans_m3h === null && has('exhaust_fan') ? (['fans'] as const) : []),
      ...(co2_m3h === null && has('co2_supply') ? (['co2'] as const) : []),
      ...(fog_lph === null && has('fogger') ? (['fogger'] as const) : []),
      ...(lamps_kw === null && has('lighting') ? (['lamps'] as const) : []),
    ],
  };
}

export function isRoofFace(face: string): boolean {
  return face.startsWith('roof') || face === 'ridge';
}

/** Total of all actuators of a role; null when one has no rating, or there are none. */
function ratingOf(
  actuators: readonly ActuatorBinding[],
  role: ActuatorRole,
  rating: 'rating_kw' | 'rating_m3h' | 'rating_lph',
): number | null {
  const ratings = actuators.filter((one) => one.role === role).map((one) => one[rating]);
  if (ratings.length === 0) return null;
  return ratings.reduce<number | null>((sum, one) => (sum === null || one === undefined ? null : sum + one), 0);
}
