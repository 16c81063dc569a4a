import type { Feature } from '../../../server/contract/overlay.ts';
import type { PipePlan } from '../../../server/contract/pipe.ts';

/** A plan as it is drawn on paper: metres from the north-west corner, y to the south. */
export interface PipeDrawing {
  width_m: number;
  height_m: number;
  houses: { points: string; name: string; at: readonly [number, number] }[];
  zones: string[];
  pipes: { points: string; kind: 'main' | 'branch' | 'header' | 'lateral' | 'existing' }[];
  /** Diameters beside pipes that are long enough. */
  sizes: { at: readonly [number, number]; text: string }[];
  devices: { at: readonly [number, number]; number: number; device_id: string; isSource: boolean }[];
  /** Of the scale bar. */
  bar_m: number;
}

const metresPerDegree = 111_195;
/** Free ground around the plan, of its larger side. */
const margin = 0.05;
/** Shorter pipes are not labelled, of the larger side of the plan. */
const labelled = 0.07;

/** Lays a plan out for paper, north up, with the houses and zones of the map around it. */
export function pipeDrawing(plan: PipePlan, features: readonly Feature[]): PipeDrawing {
  const corners = plan.features.flatMap(({ geometry }) => (geometry.type === 'LineString' ? geometry.coordinates : []));
  const box = boxOf(corners);
  const scale = Math.cos((((box.south + box.north) / 2) * Math.PI) / 180) * metresPerDegree;
  const [width, height] = [(box.east - box.west) * scale, (box.north - box.south) * metresPerDegree];
  const space = Math.max(5, margin * Math.max(width, height));
  const at = ([lng = 0, lat = 0]: readonly number[]): [number, number] => [
    (lng - box.west) * scale + space,
    (box.north - lat) * metresPerDegree + space,
  ];
  const pointsOf = (line: readonly (readonly number[])[]): string =>
    line
      .map((place) =>
        at(place)
          .map((metres) => metres.toFixed(2))
          .join(','),
      )
      .join(' ');
  const rings = (type: string) =>
    features.flatMap(({ geometry, properties }) =>
      geometry.type === 'Polygon' && properties.type === type
        ? [{ ring: geometry.coordinates[0] ?? [], properties }]
        : [],
    );
  const [width_m, height_m] = [width + 2 * space, height + 2 * space];
  return {
    ...{ width_m, height_m, bar_m: barOf(width_m) },
    houses: rings('facility').map(({ ring, properties }) => ({
      ...{ points: pointsOf(ring), name: properties.name },
      at: at(middleOf(ring)),
    })),
    zones: rings('zone').map(({ ring }) => pointsOf(ring)),
    pipes: plan.features.flatMap(({ geometry, properties: { role, reuses } }) =>
      geometry.type === 'LineString'
        ? [{ points: pointsOf(geometry.coordinates), kind: reuses === undefined ? role : ('existing' as const) }]
        : [],
    ),
    sizes: plan.features.flatMap(({ geometry, properties: { role, diameter_mm, length_m } }) => {
      const isLong = length_m > labelled * Math.max(width_m, height_m);
      if (geometry.type !== 'LineString' || diameter_mm === undefined || role === 'lateral' || !isLong) return [];
      return [{ at: at(longestMiddle(geometry.coordinates)), text: String(diameter_mm) }];
    }),
    devices: devicesOf(plan, features).map(({ place, ...device }) => ({ ...device, at: at(place) })),
  };
}

function devicesOf({ features: pipes, source_device_ids }: PipePlan, features: readonly Feature[]) {
  const served = pipes.map(({ properties }) => properties.to);
  const wanted = [...new Set([...source_device_ids, ...served])];
  const places = new Map(
    features.flatMap(({ geometry, properties }) =>
      geometry.type === 'Point' && properties.device_id !== undefined
        ? [[properties.device_id, geometry.coordinates] as const]
        : [],
    ),
  );
  return wanted
    .flatMap((device_id) => {
      const place = places.get(device_id);
      return place === undefined ? [] : [{ device_id, place, isSource: source_device_ids.includes(device_id) }];
    })
    .map((device, index) => ({ ...device, number: index + 1 }));
}

function boxOf(places: readonly (readonly number[])[]) {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  for (const [lng = 0, lat = 0] of places) {
    box.west = Math.min(box.west, lng);
    box.east = Math.max(box.east, lng);
    box.south = Math.min(box.south, lat);
    box.north = Math.max(box.north, lat);
  }
  return box;
}

function middleOf(ring: readonly (readonly number[])[]): number[] {
  const open = ring.slice(0, -1);
  const mean = (axis: 0 | 1): number => open.reduce((sum, place) => sum + (place[axis] ?? 0), 0) / open.length;
  return [mean(0), mean(1)];
}

/** The middle of the longest straight stretch. */
function longestMiddle(line: readonly (readonly number[])[]): number[] {
  let best = { length: -1, at: [...(line[0] ?? [0, 0])] };
  for (const [order, to] of line.entries()) {
    const from = line[order - 1];
    if (from === undefined) continue;
    const length = Math.hypot((to[0] ?? 0) - (from[0] ?? 0), (to[1] ?? 0) - (from[1] ?? 0));
    if (length <= best.length) continue;
    best = { length, at: [((to[0] ?? 0) + (from[0] ?? 0)) / 2, ((to[1] ?? 0) + (from[1] ?? 0)) / 2] };
  }
  return best.at;
}

/** The longest of 1, 2 and 5 times a power of ten that is no more than a quarter of the width. */
function barOf(width_m: number): number {
  const power = 10 ** Math.floor(Math.log10(width_m / 4));
  return power * ([5, 2, 1].find((times) => times * power <= width_m / 4) ?? 1);
}
