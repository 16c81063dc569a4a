import type { SensorBinding, SensorRole } from '../../server/contract/facility.ts';
import type { Outline } from './bays.ts';
import type { Part, Primitive, Vec } from './part.ts';
import { builtWidth } from './section.ts';

/** A place on the floor, or beside the house. */
export interface Spot {
  x: number;
  z: number;
}

/** How high a sensor of each role usually hangs or lies, m; at most a share of the eave. */
const heights: Record<SensorRole, number> = {
  indoor_temp: 1.6,
  indoor_humidity: 1.6,
  indoor_co2: 1.6,
  indoor_light: 2.4,
  soil_temp: 0.1,
  soil_moisture: 0.1,
  leaf_wetness: 1,
  water_flow: 0.6,
  water_pressure: 0.6,
  drain_flow: 0.15,
  pipe_temp: 0.25,
  outdoor_temp: 1.8,
  outdoor_humidity: 1.8,
  outdoor_wind: 4,
  outdoor_wind_dir: 4,
  outdoor_solar: 3,
  outdoor_longwave: 3,
  rain: 2.6,
};

const isOutdoorRole = (role: SensorRole): boolean => role === 'rain' || role.startsWith('outdoor_');

/**
 * Sensors at their place on the map, else at that of their device; unplaced ones in a row along the middle of the
 * house, or at a mast beside it, and marked so.
 */
export function sensorParts(
  outline: Outline,
  sensors: readonly SensorBinding[],
  placed: ReadonlyMap<string, Spot>,
): Part[] {
  const loose = [
    ...new Set(
      sensors.flatMap((one) =>
        spotOf(outline, one, placed) === null && !isOutdoorRole(one.role) ? [one.device_id] : [],
      ),
    ),
  ];
  const mast: Spot = { x: builtWidth(outline) / 2 + 3, z: outline.length_m / 2 };
  return sensors.map((sensor) => {
    const known = spotOf(outline, sensor, placed);
    const index = loose.indexOf(sensor.device_id);
    const inRow: Spot = {
      x: 0,
      z: (outline.length_m * (index + 0.5)) / Math.max(1, loose.length) - outline.length_m / 2,
    };
    const { x, z } = known ?? (isOutdoorRole(sensor.role) ? mast : inRow);
    const most_m = isOutdoorRole(sensor.role) ? Infinity : outline.eave_height_m * 0.75;
    const place: Vec = [x, Math.min(heights[sensor.role], most_m), z];
    return {
      id: `sensor:${sensor.role}:${sensor.measurement_id}`,
      category: 'sensors',
      role: 'sensor',
      kind: sensor.role,
      name: sensor.name,
      size: {},
      isAssumed: known === null,
      place,
      motion: { kind: 'fixed', shapes: markOf(place) },
      drives: [],
    } satisfies Part;
  });
}

function markOf([x, y, z]: Vec): Primitive[] {
  return [
    { kind: 'box', centre: [x, y, z], size: [0.28, 0.28, 0.28] },
    { kind: 'bar', from: [x, 0, z], to: [x, y, z], thick_m: 0.05 },
  ];
}

/** A weather station on the map within this distance of the house is drawn in its place, m. */
const besideHouse_m = 40;

/**
 * The position of a sensor from the map; null when it is not placed, or where it cannot be: an indoor one outside the
 * house.
 */
export function spotOf(
  outline: Outline,
  { role, device_id, measurement_id }: Pick<SensorBinding, 'role' | 'device_id' | 'measurement_id'>,
  placed: ReadonlyMap<string, Spot>,
): Spot | null {
  const spot = placed.get(measurement_id) ?? placed.get(device_id);
  if (spot === undefined) return null;
  const beyond_m = Math.max(Math.abs(spot.x) - builtWidth(outline) / 2, Math.abs(spot.z) - outline.length_m / 2);
  return beyond_m <= (isOutdoorRole(role) ? besideHouse_m : 0.5) ? spot : null;
}
