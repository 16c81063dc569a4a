import Flatbush from 'flatbush';
import type { Feature, FeatureType } from '../../server/contract/overlay.ts';
import { idOf } from './edit-buffer.ts';
import { boxOf } from './geo-box.ts';
import { pathsOf, type Position } from './geometry.ts';

/** Types that may contain others, widest first. A shape lies inside one of an earlier type. */
const holders: readonly FeatureType[] = ['site', 'zone', 'facility', 'bay', 'equipment'];
const restEvery = 500;

interface Holder {
  id: string;
  level: number;
  area_deg2: number;
  rings: Position[][];
}

/**
 * For each feature that lies in another the id of that one: the innermost of the kinds that are wider than its own, by
 * a place inside it. Yields wherever the work may rest.
 */
export function* parentsOf(features: readonly Feature[]): Generator<void, Map<string, string>> {
  const parents = new Map<string, string>();
  const areas = features.filter(
    ({ properties, geometry }) => levelOf(properties.type) < holders.length && isArea(geometry),
  );
  if (areas.length === 0) return parents;
  const index = new Flatbush(areas.length);
  const found: Holder[] = [];
  for (const [at, feature] of areas.entries()) {
    const { west, south, east, north } = boxOf(feature);
    index.add(west, south, east, north);
    found.push({
      id: idOf(feature),
      level: levelOf(feature.properties.type),
      area_deg2: (east - west) * (north - south),
      rings: pathsOf(feature.geometry).map(({ positions }) => positions),
    });
    if (at % restEvery === 0) yield;
  }
  index.finish();
  for (const [at, feature] of features.entries()) {
    const [x = NaN, y = NaN] = insideOf(feature);
    const level = levelOf(feature.properties.type);
    const around = index.search(x, y, x, y).flatMap((one) => found[one] ?? []);
    const [parent] = around
      .filter((one) => one.level < level && isWithin([x, y], one.rings))
      .sort((a, b) => b.level - a.level || a.area_deg2 - b.area_deg2);
    if (parent !== undefined) parents.set(idOf(feature), parent.id);
    if (at % restEvery === 0) yield;
  }
  return parents;
}

function levelOf(type: FeatureType): number {
  const level = holders.indexOf(type);
  return level === -1 ? holders.length : level;
}

function isArea({ type }: Feature['geometry']): boolean {
  return type === 'Polygon' || type === 'MultiPolygon';
}

/** A place in the widest piece of the area along its middle; of a line the place in its middle, of points the first. */
function insideOf({ geometry }: Feature): Position {
  const paths = pathsOf(geometry);
  const [first] = paths;
  if (first === undefined) return [];
  if (!isArea(geometry)) return first.positions[Math.floor(first.positions.length / 2)] ?? [];
  const rings = paths.filter(({ part }) => part === 0).map(({ positions }) => positions);
  const heights = first.positions.map(([, lat = 0]) => lat);
  // Not quite the middle: corners are often there.
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  const y = low + 0.499 * (high - low);
  const crossings = rings.flatMap((ring) => crossingsOf(ring, y)).sort((a, b) => a - b);
  let widest = { from: first.positions[0]?.[0] ?? NaN, width: 0 };
  for (let at = 0; at + 1 < crossings.length; at += 2) {
    const [from = 0, to = 0] = crossings.slice(at, at + 2);
    if (to - from > widest.width) widest = { from, width: to - from };
  }
  return [widest.from + widest.width / 2, y];
}

/** Longitudes where the sides of a ring cross a latitude. */
function crossingsOf(ring: readonly Position[], y: number): number[] {
  return ring.flatMap(([ax = 0, ay = 0], at) => {
    const [bx = 0, by = 0] = ring[(at + 1) % ring.length] ?? [];
    return ay > y === by > y ? [] : [ax + ((y - ay) / (by - ay)) * (bx - ax)];
  });
}

/** By the even-odd rule, so that holes are outside. */
function isWithin([x = NaN, y = NaN]: Position, rings: readonly Position[][]): boolean {
  return rings.reduce((count, ring) => count + crossingsOf(ring, y).filter((one) => one > x).length, 0) % 2 === 1;
}

/** A row of the tree. */
export interface TreeRow<Item> {
  item: Item;
  depth: number;
  /** Null for what holds nothing. */
  isOpen: boolean | null;
  /** Position among its siblings, from 1, and their number: not all rows are rendered. */
  place: number;
  among: number;
}

export interface TreeItem {
  id: string;
}

interface TreeOptions<Item> {
  parents: ReadonlyMap<string, string>;
  closed: ReadonlySet<string>;
  /** null shows everything, else the matches and their parents. */
  isWanted: ((item: Item) => boolean) | null;
}

/** Rows of sorted items, each beneath what holds it; while something is looked for nothing is closed. */
export function treeRows<Item extends TreeItem>(
  items: readonly Item[],
  { parents, closed, isWanted }: TreeOptions<Item>,
): TreeRow<Item>[] {
  const kept = isWanted === null ? null : new Set(items.filter(isWanted).map(({ id }) => id));
  // An item that is wanted keeps all that hold it.
  for (const id of kept === null ? [] : [...kept]) {
    for (let up = parents.get(id); up !== undefined; up = parents.get(up)) kept?.add(up);
  }
  const children = new Map<string | undefined, Item[]>();
  const known = new Set(items.map(({ id }) => id));
  for (const item of items) {
    if (kept?.has(item.id) === false) continue;
    const parent = parents.get(item.id);
    const key = parent !== undefined && known.has(parent) ? parent : undefined;
    const list = children.get(key);
    if (list === undefined) children.set(key, [item]);
    else list.push(item);
  }
  const rows: TreeRow<Item>[] = [];
  const walk = (list: readonly Item[], depth: number): void => {
    for (const [at, item] of list.entries()) {
      const inside = children.get(item.id);
      const isOpen = inside === undefined ? null : kept !== null || !closed.has(item.id);
      rows.push({ item, depth, isOpen, place: at + 1, among: list.length });
      if (inside !== undefined && isOpen === true) walk(inside, depth + 1);
    }
  };
  walk(children.get(undefined) ?? [], 0);
  return rows;
}
