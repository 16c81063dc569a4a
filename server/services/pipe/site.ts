import { Refusal, refuseField, refusePlainly, type ErrorCode } from '../../contract/errors.ts';
import { why, type Said } from '../../contract/refusal-reason.ts';
import type { Facility } from '../../contract/facility.ts';
import type { Feature, FeatureCollection, FeatureType, Geometry } from '../../contract/overlay.ts';
import type { DripZone } from '../../contract/pipe-hydraulics.ts';
import type { PipeRequest } from '../../contract/pipe.ts';
import type { PlacementRepository } from '../../db/repositories/placement.ts';
import { groundArea_m2 } from '../../domain/geometry/ground-area.ts';
import { labelPoint } from '../../domain/geometry/label-point.ts';
import { smallestRectangle } from '../../domain/geometry/smallest-rectangle.ts';
import type { MapZone } from '../../domain/pipes/plan-zone.ts';
import type { MapLine, PlanTask, Station } from '../../domain/pipes/plan.ts';
import { sourceIds } from './hydraulics.ts';

export interface PipeSitePorts {
  placements: Pick<PlacementRepository, 'placements' | 'shape'>;
  facilities: { list(filter: { geo_id: string }): Pick<Facility, 'shape_uuid' | 'sensors' | 'actuators'>[] };
  overlays: { get(query: { geo_id: string; type: FeatureType }): Promise<Buffer> };
  /** All devices, by their ids. */
  deviceChannels: () => ReadonlyMap<string, unknown>;
}

/** Corners of all houses and no-trench areas of a map together. */
const mostCorners = 50_000;
/**
 * Places where pipes may join lines: their corners, and on each about as many as there are stations. All pairs of them
 * are examined.
 */
const mostLinePlaces = 40_000;
const defaultClearance_m = 0.5;
/** Of one zone: each is a node that EPANET solves. */
const mostEmitters = 10_000;

/** What a request asks for, as the map has it. Refuses with not_found and the faults of the devices. */
export async function pipeTask(ports: PipeSitePorts, request: PipeRequest): Promise<PlanTask> {
  const { geo_id, options = {} } = request;
  const houses = await housesOf(ports, geo_id);
  const { stations, sources } = stationsOf(ports, request);
  const passed = (options.via ?? []).map((place): Station => ({ ...place, device_ids: [] }));
  const entered = withEntries(houses, request);
  const geometries = options.obstacles === false ? [] : [...entered, ...(await noTrench(ports, geo_id))];
  refuseTooMany(geometries.map(({ geometry }) => geometry));
  const lines = await linesOf(ports, request);
  refuseLines(lines, stations.length + passed.length);
  return {
    stations: [...stations, ...passed],
    sources,
    barriers: geometries.map(({ feature_id: _, ...barrier }) => barrier),
    lines,
    axis_deg: options.orthogonal === false ? null : (options.axis_deg ?? (await axisOf(ports, geo_id, houses))),
    clearance_m: options.clearance_m ?? defaultClearance_m,
  };
}

/** The zones that get drip lines. Refuses with unknown_reference, invalid_field. */
export async function zonesOf(
  ports: PipeSitePorts,
  { geo_id, hydraulics }: PipeRequest,
  { stations, sources = 1 }: PlanTask,
): Promise<MapZone[]> {
  const wanted = hydraulics?.zones ?? [];
  if (wanted.length === 0) return [];
  const areas = (
    await Promise.all((['zone', 'facility', 'bay', 'site'] as const).map((type) => featuresOf(ports, geo_id, type)))
  ).flat();
  const shapes = new Map(areas.map(({ geometry, properties }) => [properties.unique_id, geometry]));
  return wanted.map((zone, at): MapZone => {
    const path = `hydraulics.zones[${at}]`;
    const geometry = shapes.get(zone.zone_id);
    if (geometry?.type !== 'Polygon') throw refuseField('unknown_reference', `${path}.zone_id`, why('not_one_area'));
    const station = stations.findIndex(({ device_ids }) => device_ids.includes(zone.device_id));
    if (station < sources) throw refuseField('invalid_field', `${path}.device_id`, why('zone_valve'));
    const { zone_id, spacing_m, emitter_spacing_m } = zone;
    if ((groundArea_m2(geometry) ?? 0) / (spacing_m * emitter_spacing_m) > mostEmitters) {
      throw refuseField('invalid_field', `${path}.zone_id`, why('too_many_emitters', { most: mostEmitters }));
    }
    const angle_deg = zone.angle_deg ?? smallestRectangle(geometry)?.axis_deg ?? 0;
    return {
      zone_id,
      geometry,
      station,
      spacing_m,
      emitter_spacing_m,
      angle_deg,
      emitter: emitterOf(zone, hydraulics),
      radius_m: zone.wetted_radius_m ?? Math.max(spacing_m, emitter_spacing_m),
    };
  });
}

function emitterOf(zone: DripZone, hydraulics: PipeRequest['hydraulics']): MapZone['emitter'] {
  return {
    flow_l_h: zone.emitter_flow_l_h,
    pressure_bar: zone.emitter_pressure_bar ?? 1,
    exponent: zone.emitter_exponent ?? 0.5,
    inner_mm: zone.inner_mm ?? 13.8,
    least_uniformity_pct: zone.least_uniformity_pct ?? 90,
    most_velocity_m_s: hydraulics?.most_velocity_m_s ?? 1.5,
  };
}

type MapBarrier = PlanTask['barriers'][number] & { feature_id: string };

/** The outlines that facilities stand on, and those drawn as one. */
async function housesOf(ports: PipeSitePorts, geo_id: string): Promise<MapBarrier[]> {
  const drawn = await featuresOf(ports, geo_id, 'facility');
  const known = new Set(drawn.map(({ properties }) => properties.unique_id));
  const shapes = ports.facilities.list({ geo_id }).flatMap(({ shape_uuid }) => {
    const shape = known.has(shape_uuid) ? undefined : ports.placements.shape(shape_uuid);
    return shape === undefined ? [] : [{ geometry: shape.geometry, feature_id: shape_uuid }];
  });
  return [...drawn.map(({ geometry, properties }) => ({ geometry, feature_id: properties.unique_id })), ...shapes]
    .filter(({ geometry }) => isArea(geometry))
    .map((house) => ({ ...house, canEnter: true }));
}

async function noTrench(ports: PipeSitePorts, geo_id: string): Promise<MapBarrier[]> {
  const found = await featuresOf(ports, geo_id, 'infrastructure');
  return found
    .filter(({ geometry, properties }) => properties['no_trench'] === true && isArea(geometry))
    .map(({ geometry, properties }) => ({ geometry, canEnter: false, feature_id: properties.unique_id }));
}

/** Houses with the requested entries of pipes. Refuses with unknown_reference. */
function withEntries(houses: readonly MapBarrier[], { options }: PipeRequest): MapBarrier[] {
  const entries = new Map<string, readonly number[]>();
  for (const [at, { feature_id, lat, lng }] of (options?.entries ?? []).entries()) {
    if (!houses.some((house) => house.feature_id === feature_id))
      throw refuseField('unknown_reference', `options.entries[${at}].feature_id`, why('no_such_house'));
    entries.set(feature_id, [lng, lat]);
  }
  return houses.map((house) => {
    const entry = entries.get(house.feature_id);
    return entry === undefined ? house : { ...house, entry };
  });
}

/** Existing pipes and corridors. Refuses with unknown_reference. */
async function linesOf(ports: PipeSitePorts, { geo_id, options, replaces }: PipeRequest): Promise<MapLine[]> {
  const reuse = (options?.reuse ?? []).map((feature_id) => ({ feature_id, weight: 0 }));
  const corridors = options?.corridors ?? [];
  if (reuse.length + corridors.length === 0) return [];
  const types = ['pipe', 'infrastructure', 'connection', 'reference'] as const;
  const drawn = (await Promise.all(types.map((type) => featuresOf(ports, geo_id, type)))).flat();
  const known = new Map(drawn.map((feature) => [feature.properties.unique_id, feature]));
  return [...reuse, ...corridors].map(({ feature_id, weight }, at): MapLine => {
    const path = at < reuse.length ? `options.reuse[${at}]` : `options.corridors[${at - reuse.length}].feature_id`;
    const feature = known.get(feature_id);
    if (feature?.geometry.type !== 'LineString') throw refuseField('unknown_reference', path, why('no_such_line'));
    const { plan_id, diameter_mm, inner_mm } = feature.properties;
    if (weight === 0 && plan_id !== undefined && plan_id === replaces)
      throw refuseField('invalid_field', path, why('line_replaced'));
    return {
      feature_id,
      weight,
      coordinates: feature.geometry.coordinates,
      ...(typeof diameter_mm === 'number' && diameter_mm > 0 && { diameter_mm }),
      ...(typeof inner_mm === 'number' && inner_mm > 0 && { inner_mm }),
    };
  });
}

async function featuresOf({ overlays }: PipeSitePorts, geo_id: string, type: FeatureType): Promise<Feature[]> {
  const text = (await overlays.get({ geo_id, type })).toString();
  return (JSON.parse(text) as FeatureCollection).features; // as the service makes it
}

/**
 * The stations of the devices, sources first; devices that a facility binds and no feature places share its label
 * point.
 */
function stationsOf(ports: PipeSitePorts, request: PipeRequest): { stations: Station[]; sources: number } {
  const { geo_id, device_ids } = request;
  if (request.source_device_ids !== undefined && request.source_device_id !== undefined)
    throw refusePlainly('invalid_field', 'source_device_id', 'comes without source_device_ids');
  const sources = sourceIds(request);
  const ids = [...new Set([...sources, ...device_ids])];
  refuseDevices(ports, ids, request);
  const placed = Map.groupBy(ports.placements.placements(geo_id), ({ device_id }) => device_id);
  const bound = boundPoints(ports, geo_id);
  const stations = new Map<string, Station>();
  const missing: string[] = [];
  for (const id of ids) {
    const places = placed.get(id) ?? (bound.get(id) ? [bound.get(id)] : []);
    if (places.length === 0) missing.push(id);
    for (const place of places) {
      if (place === undefined) continue;
      const { lat, lng } = place;
      const key = 'facility' in place ? place.facility : `${id} ${lat} ${lng}`;
      stations.set(key, { lat, lng, device_ids: [...(stations.get(key)?.device_ids ?? []), id] });
    }
  }
  if (missing.length > 0) throw refuseUnplaced(ports, missing, request);
  if (stations.size < 2) throw refuseIds('devices_at_one_place', 'the devices stand at one place', ids, request);
  // A source with several separately placed channels supplies water at the first; the others are devices.
  const all = [...stations.values()];
  const first = sources.flatMap((id) => all.find((station) => station.device_ids.includes(id)) ?? []);
  const starts = [...new Set(first)];
  const others = all.filter((station) => !starts.includes(station));
  if (others.length === 0) throw refuseField('invalid_field', 'device_ids', why('sources_alone'));
  return { stations: [...starts, ...others], sources: starts.length };
}

function boundPoints({ facilities, placements }: PipeSitePorts, geo_id: string) {
  const points = new Map<string, { lat: number; lng: number; facility: string }>();
  for (const { shape_uuid, sensors, actuators } of facilities.list({ geo_id })) {
    const shape = placements.shape(shape_uuid);
    const point = shape && labelPoint(shape.geometry);
    if (!point) continue;
    for (const { device_id } of [...sensors, ...actuators]) {
      if (!points.has(device_id)) points.set(device_id, { ...point, facility: shape_uuid });
    }
  }
  return points;
}

/** The parts of a request that name devices. */
type Naming = Pick<PipeRequest, 'device_ids' | 'source_device_ids'>;

function refuseDevices({ deviceChannels }: PipeSitePorts, ids: readonly string[], sent: Naming): void {
  const known = deviceChannels();
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) throw refuseIds('unknown_reference', why('no_such_device'), unknown, sent);
}

function refuseUnplaced({ placements }: PipeSitePorts, missing: readonly string[], sent: Naming): Refusal {
  const elsewhere = new Set(placements.placements().map(({ device_id }) => device_id));
  const nowhere = missing.filter((id) => !elsewhere.has(id));
  if (nowhere.length > 0) return refuseIds('device_not_placed', 'stands on no map', nowhere, sent);
  return refuseIds('device_on_other_map', 'stands on another map', missing, sent);
}

/** Names the devices, each by its place in the request. */
export function refuseIds(code: ErrorCode, said: string | Said, ids: readonly string[], sent: Naming): Refusal {
  const about = typeof said === 'string' ? { message: said } : said;
  const errors = ids.slice(0, 50).map((id) => ({ path: pathOf(id, sent), code, ...about }));
  return new Refusal(code, `${ids.length} of the devices: ${about.message}`, { errors, members: { device_ids: ids } });
}

function pathOf(id: string, { device_ids, source_device_ids = [] }: Naming): string {
  const [device, source] = [device_ids.indexOf(id), source_device_ids.indexOf(id)];
  if (device >= 0) return `device_ids[${device}]`;
  return source >= 0 ? `source_device_ids[${source}]` : 'source_device_id';
}

function refuseTooMany(geometries: readonly Geometry[]): void {
  const corners = geometries.reduce((sum, { coordinates }) => sum + coordinates.flat(Infinity).length / 2, 0);
  if (corners <= mostCorners) return;
  const said = why('too_many_corners', { most: mostCorners });
  throw new Refusal('invalid_field', `geo_id ${said.message}`, {
    errors: [{ path: 'geo_id', code: 'too_big', ...said }],
  });
}

function refuseLines(lines: readonly MapLine[], stations: number): void {
  const places = lines.reduce((sum, { coordinates }) => sum + coordinates.length + stations, 0);
  if (places <= mostLinePlaces) return;
  throw refuseField('invalid_field', 'options.reuse', why('too_many_line_corners', { places: stations }));
}

/** Along the largest house, else the largest site, else from west to east. */
async function axisOf(ports: PipeSitePorts, geo_id: string, houses: readonly MapBarrier[]): Promise<number> {
  const areas = houses.length > 0 ? houses : await featuresOf(ports, geo_id, 'site');
  const [largest] = areas
    .map(({ geometry }) => geometry)
    .toSorted((one, other) => (groundArea_m2(other) ?? 0) - (groundArea_m2(one) ?? 0));
  return (largest && smallestRectangle(largest)?.axis_deg) ?? 90;
}

function isArea({ type }: Geometry): boolean {
  return type === 'Polygon' || type === 'MultiPolygon';
}
