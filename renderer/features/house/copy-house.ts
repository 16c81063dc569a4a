import type { Facility, FacilitySave } from '../../../server/contract/facility.ts';
import { frontAlong, smallestRectangle } from '../../../server/domain/geometry/smallest-rectangle.ts';
import type { Feature } from '../../../server/contract/overlay.ts';
import { suggestBays } from '../facility/suggest-bays.ts';

/**
 * A copy of a house on another outline, without what is unique to the original. Devices belong to one house, so the
 * copy has none. With `isFitted`, bays, length and direction come from the outline, otherwise from the original. On an
 * outline without a name it gets the next one after the original's.
 */
export function copyOf(
  house: Facility,
  shape: Feature,
  { isFitted, nextName }: { isFitted: boolean; nextName: (name: string) => string },
): FacilitySave {
  const { unique_id: _id, geo_id: _map, sensors: _sensors, actuators: _actuators, ...rest } = house;
  const { revision: _revision, created_at: _created, updated_at: _updated, ...taken } = rest;
  const openings = house.openings.map(({ actuator_device_id: _device, ...rest }) => ({
    ...rest,
    id: crypto.randomUUID(),
  }));
  const curtains = house.curtains.map(({ actuator_device_id: _device, ...rest }) => rest);
  const box = isFitted ? smallestRectangle(shape.geometry) : null;
  const fitted = box === null ? null : suggestBays(box, house.envelope.bay_width_m);
  return {
    ...taken,
    name: shape.properties.name === '' ? nextName(house.name) : shape.properties.name,
    shape_uuid: shape.properties.unique_id,
    openings,
    curtains,
    ...(fitted !== null && { structure: structureOf(house, fitted.bay_count), bay_count: fitted.bay_count }),
    envelope: {
      ...house.envelope,
      ...(fitted !== null && { bay_width_m: fitted.bay_width_m, length_m: fitted.length_m }),
    },
    view_3d: {
      ...house.view_3d,
      ...(box !== null && { orientation_deg: frontAlong(box, house.view_3d.orientation_deg ?? null) }),
    },
  };
}

/**
 * Detached bays stay detached; a single bay is connected to nothing, and several bays made from one are connected,
 * the default for a new house.
 */
function structureOf({ structure, bay_count }: Facility, bays: number): Facility['structure'] {
  if (bays === 1) return 'single';
  return bay_count === 1 ? 'connected' : structure;
}
