import type { Feature } from '../../../server/contract/overlay.ts';
import type { PipeRequest } from '../../../server/contract/pipe.ts';
import { pathsOf } from '../../map/geometry.ts';
import { metresPerDegree } from '../../map/metric-step.ts';
import type { Choice } from './pipe-choice.ts';

export interface MapPlace {
  lat: number;
  lng: number;
}

/** Ground surfaces, and where pipes should go. */
export interface GroundDraft {
  /** Lines where pipes lie already. */
  reuse: string[];
  /** Lines that pipes follow rather than other ground. */
  corridors: string[];
  /** Weight of a metre along them, percent of one elsewhere. */
  corridor_pct: number | null;
  via: MapPlace[];
  entries: (MapPlace & { feature_id: string })[];
}

export function newGroundDraft(): GroundDraft {
  return { reuse: [], corridors: [], corridor_pct: 50, via: [], entries: [] };
}

/** In the form of the request. */
export function groundOptions(draft: GroundDraft): NonNullable<PipeRequest['options']> {
  const { reuse, corridors, corridor_pct, via, entries } = draft;
  const weight = Math.min(1, Math.max(0.05, (corridor_pct ?? 100) / 100));
  return {
    ...(reuse.length > 0 && { reuse }),
    ...(corridors.length > 0 && { corridors: corridors.map((feature_id) => ({ feature_id, weight })) }),
    ...(via.length > 0 && { via }),
    ...(entries.length > 0 && { entries }),
  };
}

/** Lines of some types, by their names; those of the plan that would be replaced are left out. */
export function lineChoices(
  features: readonly Feature[],
  types: readonly Feature['properties']['type'][],
  { replaced, nameOf }: { replaced: string | undefined; nameOf: (feature: Feature) => string },
): Choice[] {
  return features.flatMap((feature) => {
    const { type, unique_id, plan_id } = feature.properties;
    const isOwn = replaced !== undefined && plan_id === replaced;
    if (feature.geometry.type !== 'LineString' || !types.includes(type) || isOwn) return [];
    return { value: unique_id, title: nameOf(feature) };
  });
}

/** Degrees to the centimetre: more digits only fill the fields. */
export function rounded({ lat, lng }: MapPlace): MapPlace {
  return { lat: Number(lat.toFixed(7)), lng: Number(lng.toFixed(7)) };
}

/** The nearest place on the walls of a house: where a pipe that is led to another place comes in. */
export function onWall({ geometry }: Feature, place: MapPlace): MapPlace {
  const { east_m, north_m } = metresPerDegree(place.lat);
  let best = { away_m: Infinity, at: place };
  for (const { positions } of pathsOf(geometry)) {
    for (const [order, [lng = 0, lat = 0]] of positions.entries()) {
      const [fromLng = lng, fromLat = lat] = positions.at(order - 1) ?? [];
      const [dx, dy] = [(lng - fromLng) * east_m, (lat - fromLat) * north_m];
      const [px, py] = [(place.lng - fromLng) * east_m, (place.lat - fromLat) * north_m];
      const share = Math.min(1, Math.max(0, (px * dx + py * dy) / Math.max(1e-9, dx * dx + dy * dy)));
      const away_m = Math.hypot(px - share * dx, py - share * dy);
      const at = { lat: fromLat + share * (lat - fromLat), lng: fromLng + share * (lng - fromLng) };
      if (away_m < best.away_m) best = { away_m, at };
    }
  }
  return rounded(best.at);
}

/** The middle of the first wall of an outline: a first place for its entrance. */
export function firstWallMiddle({ geometry }: Feature): MapPlace | undefined {
  const [ring] =
    geometry.type === 'Polygon'
      ? geometry.coordinates
      : geometry.type === 'MultiPolygon'
        ? (geometry.coordinates[0] ?? [])
        : [];
  const [a, b] = ring ?? [];
  if (a === undefined || b === undefined) return undefined;
  return rounded({ lng: ((a[0] ?? 0) + (b[0] ?? 0)) / 2, lat: ((a[1] ?? 0) + (b[1] ?? 0)) / 2 });
}
