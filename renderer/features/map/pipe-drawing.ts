import type { Feature } from '../../../server/contract/overlay.ts';
import type { PipeFeature, PipePlan } from '../../../server/contract/pipe.ts';
import { boxAround, type GeoBox } from '../../map/geo-box.ts';
import { metresPerDegree } from '../../map/metric-step.ts';
import { scaleBar_m } from '../../map/sheet-marks.ts';

/** A plan as drawn on paper: metres from the north-west corner, y to the south. */
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

/** Free ground around the plan, of its larger side. */
const margin = 0.05;
/** Below it, for scale bar and north arrow, of its larger side. */
const foot = 0.06;
/** Shorter pipes are not labelled, of the larger side of the plan. */
const labelled = 0.07;
/** Room of the scale bar, of the width. */
const barRoom = 1 / 4;

type Position = readonly number[];

/** A sheet of paper over a part of the map. */
interface Sheet {
  width_m: number;
  height_m: number;
  /** Where a longitude and latitude is on it, m. */
  at: (place: Position) => [number, number];
}

/**
 * Lays a plan out for paper, north up, with the houses and zones of the map around it. `unit_m` is the unit that
 * lengths are shown in.
 */
export function pipeDrawing(plan: PipePlan, features: readonly Feature[], unit_m = 1): PipeDrawing {
  const pipes = plan.features.flatMap(({ geometry, properties }) =>
    geometry.type === 'LineString' ? [{ line: geometry.coordinates, properties }] : [],
  );
  const { at, width_m, height_m } = sheetOf(boxAround(pipes.map(({ line }) => line)));
  const pointsOf = (line: readonly Position[]): string =>
    line
      .map((place) =>
        at(place)
          .map((metres) => metres.toFixed(2))
          .join(','),
      )
      .join(' ');
  const isLabelled = ({ role, diameter_mm, length_m }: PipeFeature['properties']): boolean =>
    diameter_mm !== undefined && role !== 'lateral' && length_m > labelled * Math.max(width_m, height_m);
  return {
    width_m,
    height_m,
    bar_m: scaleBar_m(width_m * barRoom, unit_m),
    houses: ringsOf(features, 'facility').map(({ ring, name }) => ({
      points: pointsOf(ring),
      name,
      at: at(middleOf(ring)),
    })),
    zones: ringsOf(features, 'zone').map(({ ring }) => pointsOf(ring)),
    pipes: pipes.map(({ line, properties: { role, reuses } }) => ({
      points: pointsOf(line),
      kind: reuses === undefined ? role : 'existing',
    })),
    sizes: pipes
      .filter(({ properties }) => isLabelled(properties))
      .map(({ line, properties }) => ({ at: at(longestMiddle(line)), text: String(properties.diameter_mm) })),
    devices: devicesOf(plan, features).map(({ place, ...device }) => ({ ...device, at: at(place) })),
  };
}

/** The ground of a box with a margin, in metres. */
function sheetOf({ west, south, east, north }: GeoBox): Sheet {
  const { east_m, north_m } = metresPerDegree((south + north) / 2);
  const [width, height] = [(east - west) * east_m, (north - south) * north_m];
  const space = Math.max(5, margin * Math.max(width, height));
  return {
    width_m: width + 2 * space,
    height_m: height + 2 * space + foot * Math.max(width, height),
    at: ([lng = 0, lat = 0]) => [(lng - west) * east_m + space, (north - lat) * north_m + space],
  };
}

function ringsOf(features: readonly Feature[], type: Feature['properties']['type']) {
  return features.flatMap(({ geometry, properties }) => {
    const [ring] = geometry.type === 'Polygon' && properties.type === type ? geometry.coordinates : [];
    return ring === undefined ? [] : [{ ring, name: properties.name }];
  });
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

function middleOf(ring: readonly Position[]): number[] {
  const open = ring.slice(0, -1);
  const mean = (axis: 0 | 1): number => open.reduce((sum, place) => sum + (place[axis] ?? 0), 0) / open.length;
  return [mean(0), mean(1)];
}

/** The middle of the longest straight stretch. */
function longestMiddle(line: readonly Position[]): number[] {
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
