import { getPosition } from 'suncalc';
import type { Geometry } from '../../server/contract/overlay.ts';
import type { Vec } from './part.ts';
import type { Spot } from './sensors.ts';

/** Metres to a degree of latitude on a sphere of 6,371 km. */
const degree_m = 111_195;
const radians = Math.PI / 180;

/** Level unit vector to a compass direction, beside a house whose front looks to `front_deg`. */
export function towards(direction_deg: number, front_deg: number): Vec {
  const turn = (direction_deg - front_deg) * radians;
  return [Math.sin(turn), 0, -Math.cos(turn)];
}

export interface Sun {
  azimuth_deg: number;
  altitude_deg: number;
}

export function sunAt(atMs: number, place: { lat: number; lng: number }): Sun {
  const { azimuth, altitude } = getPosition(new Date(atMs), place.lat, place.lng);
  return { azimuth_deg: azimuth, altitude_deg: altitude };
}

/** Unit vector to the sun. */
export function towardsSun({ azimuth_deg, altitude_deg }: Sun, front_deg: number): Vec {
  const [x, , z] = towards(azimuth_deg, front_deg);
  const level = Math.cos(altitude_deg * radians);
  return [x * level, Math.sin(altitude_deg * radians), z * level];
}

/**
 * Positions on the map as spots of a house whose front looks to `front_deg` and whose middle is that of its outline.
 */
export function spotsOnMap(
  outline: Geometry,
  front_deg: number,
  places: readonly { id: string; position: readonly number[] }[],
): Map<string, Spot> {
  const corners = cornersOf(outline);
  const [origin] = corners;
  if (origin === undefined) return new Map();
  const turned = turnTo(origin, front_deg);
  const spots = corners.map(turned);
  const middle = (of: (spot: Spot) => number): number => {
    const values = spots.map(of);
    return (Math.min(...values) + Math.max(...values)) / 2;
  };
  const [x0, z0] = [middle(({ x }) => x), middle(({ z }) => z)];
  return new Map(
    places.map(({ id, position }) => {
      const { x, z } = turned(position);
      return [id, { x: x - x0, z: z - z0 }];
    }),
  );
}

function cornersOf(geometry: Geometry): readonly (readonly number[])[] {
  if (geometry.type === 'Polygon') return geometry.coordinates[0] ?? [];
  return geometry.type === 'MultiPolygon' ? geometry.coordinates.flatMap(([outer = []]) => outer) : [];
}

function turnTo([lng0 = 0, lat0 = 0]: readonly number[], front_deg: number): (position: readonly number[]) => Spot {
  const shrink = Math.cos(lat0 * radians);
  const [sin, cos] = [Math.sin(front_deg * radians), Math.cos(front_deg * radians)];
  return ([lng = 0, lat = 0]) => {
    const [east, north] = [(lng - lng0) * degree_m * shrink, (lat - lat0) * degree_m];
    return { x: east * cos - north * sin, z: -(east * sin + north * cos) };
  };
}
