import type { Facility } from '../../contract/facility.ts';
import type { HousePart, OfferedPart } from '../../contract/house-simulation.ts';
import { computeCapacity } from '../capacity/compute.ts';
import type { SiteContext } from '../capacity/design.ts';
import { lampRadiantShare, usual } from '../capacity/usual-equipment.ts';
import { houseGeometry } from '../geometry/house.ts';
import { placeOpenings } from '../wind/openings.ts';
import { isRoofFace } from './model-of-house.ts';
import { simulatedHouse } from './simulated-house.ts';

type Sized = Omit<OfferedPart, 'device'>;

/** Drip emitters of a row crop: 2.5 plants/m2 with 2 l/h each. */
const irrigation_l_h_m2 = 5;

/**
 * What a drawn house can be simulated with, each as large as it is planned, else as the product itself would size it:
 * heat by the load with the margin of hot water, fans by ASABE EP406. Throws UnknownMaterialError.
 */
export function houseEquipment(facility: Facility, site: SiteContext): Sized[] {
  const geometry = houseGeometry(facility);
  const { floor_area_m2 } = geometry;
  const { heating } = computeCapacity(facility, site).details;
  const { openings } = placeOpenings(facility.openings, geometry, facility.envelope);
  const opened_m2 = (isRoof: boolean): number =>
    openings.filter(({ face }) => isRoofFace(face) === isRoof).reduce((sum, { area_m2 }) => sum + area_m2, 0);
  const planned = facility.fans.filter(({ kind }) => kind === 'exhaust');
  const fans_m3h = planned.reduce((sum, { flow_m3h, count }) => sum + flow_m3h * count, 0);
  const curtains = (kind: string): boolean => facility.curtains.some((one) => one.kind === kind);
  const lamps_kw = (simulatedHouse.lighting_w_m2 * floor_area_m2) / 1000 / lampRadiantShare;
  const vent = (part: HousePart, area_m2: number): Sized[] =>
    area_m2 > 0 ? [{ part, is_usual: true, opening_area_m2: area_m2 }] : [];
  return [
    { part: 'heater', is_usual: true, rating_kw: Math.max(1, Math.ceil(heating.installed_hot_water_kw)) },
    { part: 'fan', is_usual: true, rating_m3h: Math.ceil(fans_m3h || usual.fan_m3h_m2 * floor_area_m2) },
    ...vent('side_vent', opened_m2(false)),
    ...vent('roof_vent', opened_m2(true)),
    { part: 'co2', is_usual: true },
    { part: 'lighting', is_usual: false, rating_kw: tenths(lamps_kw) },
    { part: 'shade', is_usual: curtains('shade') },
    // Without one that is drawn nobody knows how well it insulates.
    ...(curtains('thermal') ? [{ part: 'screen', is_usual: true } as const] : []),
    { part: 'fogger', is_usual: false, rating_lph: tenths(usual.fog_kg_h_m2 * floor_area_m2) },
    { part: 'valve', is_usual: true, rating_lph: Math.ceil(irrigation_l_h_m2 * floor_area_m2) },
  ];
}

function tenths(value: number): number {
  return Math.max(0.1, Math.round(10 * value) / 10);
}
