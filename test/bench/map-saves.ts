import { randomUUID } from 'node:crypto';
import type { FeatureCollection, FeatureInput } from '../../server/contract/overlay.ts';

/** One request to the API; gives status and parsed body. */
export type BenchRequest = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: unknown }>;

export interface MapSaveTimes {
  features: number;
  full_save_ms: number;
  /** The same features again: nothing to write. */
  unchanged_save_ms: number;
  /** All of them modified in one delta. */
  delta_save_ms: number;
  /** A delta of 100 on the full map. */
  small_delta_ms: number;
  read_ms: number;
}

/** Makes a map of `count` bays and times saving and reading it through the API. Throws where an answer is not 200. */
export async function timeMapSaves(request: BenchRequest, count = 10_000): Promise<MapSaveTimes> {
  const view = { name: 'Bench', lat: 37, lng: 127, zoom: 18 };
  const { map_uuid: geo_id } = (await request('POST', '/api/geo/designs', view)).body as { map_uuid: string }; // a design
  const features = Array.from({ length: count }, (_, index) => bay(index));
  const post = (path: string, body: object): Promise<number> =>
    timed(() => request('POST', path, { geo_id, save_id: randomUUID(), ...body }));
  return {
    features: count,
    full_save_ms: await post('/api/geo/overlays', { features }),
    unchanged_save_ms: await post('/api/geo/overlays', { features }),
    delta_save_ms: await post('/api/geo/overlays/delta', { modified: features.map(renamed) }),
    small_delta_ms: await post('/api/geo/overlays/delta', { modified: features.slice(0, 100) }),
    read_ms: await timed(() => request('GET', `/api/geo/overlays?geo_id=${geo_id}`)),
  };
}

export interface LargeMapTimes {
  full_save_ms: number;
  full_load_ms: number;
  /** A delta of 100 on it. */
  small_delta_ms: number;
  list_ms: number;
  /** What another client waited at most while the map was saved, and while it was loaded. */
  wait_at_save_ms: number;
  wait_at_load_ms: number;
  /** The same save on another such map, and how long each small write of another client took beside it. */
  watched_save_ms: number;
  small_writes_ms: number[];
  /** All of them modified in one delta. */
  full_delta_ms: number;
}

/** What others wait while something is done. */
interface Waits {
  longest: (work: () => Promise<unknown>) => Promise<number>;
  /** Of small writes: of a setting, and of one feature on the map. */
  ofWrites: (geo_id: string, work: () => Promise<unknown>) => Promise<number[]>;
}

/** Makes a map of `count` points, as many as fit into one body, and times its calls and what others wait meanwhile. */
export async function timeLargeMap(request: BenchRequest, wait: Waits, count = 100_000): Promise<LargeMapTimes> {
  const made = async (name: string): Promise<string> => {
    const { body } = await request('POST', '/api/geo/designs', { name, lat: 37, lng: 127, zoom: 18 });
    return (body as { map_uuid: string }).map_uuid; // a design
  };
  const [geo_id, other, small] = [await made('Large'), await made('Other'), await made('Small')];
  const features = Array.from({ length: count }, (_, index) => plant(index));
  const times = { full_save_ms: 0, full_load_ms: 0, watched_save_ms: 0 };
  const waitAtSaveMs = await wait.longest(async () => {
    times.full_save_ms = await timed(() => request('POST', '/api/geo/overlays', { geo_id, features }));
  });
  const waitAtLoadMs = await wait.longest(async () => {
    times.full_load_ms = await timed(() => request('GET', `/api/geo/overlays?geo_id=${geo_id}`));
  });
  const smallWritesMs = await wait.ofWrites(small, async () => {
    const body = { geo_id: other, features: features.map((_, index) => plant(index)) };
    times.watched_save_ms = await timed(() => request('POST', '/api/geo/overlays', body));
  });
  const modified = features.slice(0, 100).map(renamed);
  const renaming = { geo_id: other, modified: [] as FeatureInput[] };
  const read = await request('GET', `/api/geo/overlays?geo_id=${other}`);
  renaming.modified = (read.body as FeatureCollection).features.map(renamed); // by its contract
  return {
    ...times,
    small_writes_ms: smallWritesMs,
    small_delta_ms: await timed(() => request('POST', '/api/geo/overlays/delta', { geo_id, modified })),
    full_delta_ms: await timed(() => request('POST', '/api/geo/overlays/delta', renaming)),
    list_ms: await timed(() => request('GET', '/api/geo/designs')),
    wait_at_save_ms: waitAtSaveMs,
    wait_at_load_ms: waitAtLoadMs,
  };
}

/** 1000 a row, 9 m apart. */
function plant(index: number): FeatureInput {
  const degrees = (cells: number): number => Math.round(cells) / 1e4;
  const coordinates = [127 + degrees(index % 1000), 37 + degrees(Math.floor(index / 1000))];
  return {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: coordinates.map((value) => Number(value.toFixed(4))) },
    properties: { type: 'equipment', unique_id: randomUUID() },
  };
}

/** 100 bays a row, 8 m by 50 m and a gap. */
function bay(index: number): FeatureInput {
  const [west, south] = [127 + (index % 100) * 1e-4, 37 + Math.floor(index / 100) * 6e-4];
  const [east, north] = [west + 9e-5, south + 4.5e-4];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return {
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates: [ring] },
    properties: { type: 'bay', name: `Bay ${index}`, unique_id: randomUUID() },
  };
}

function renamed(feature: FeatureInput): FeatureInput {
  return { ...feature, properties: { ...feature.properties, name: `${feature.properties.name ?? 'Plant'} (2)` } };
}

async function timed(work: () => Promise<{ status: number }>): Promise<number> {
  const from = performance.now();
  const { status } = await work();
  if (status !== 200) throw new Error(`the answer was ${status}`);
  return Math.round(performance.now() - from);
}
