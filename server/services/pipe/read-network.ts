import { CountType, FlowUnits, LinkProperty, LinkType, NodeProperty, NodeType, type Project } from 'epanet-js';
import proj4 from 'proj4';
import type { networkFaults, ReadNetwork, ReadNode, ReadPipe, ReadPipesRequest } from '../../contract/pipe-inp.ts';
import { head_m_per_bar } from '../../domain/pipes/head-loss.ts';
import type { Extremes } from './extremes.ts';

interface Place {
  x: number;
  y: number;
}

/** A network as its file describes it, in SI units; places are as in the file. */
export interface RawNetwork {
  title: string;
  nodes: { id: string; kind: ReadNode['kind']; elevation_m: number; at: Place | null }[];
  pipes: { id: string; link: number; from: number; to: number; length_m: number; inner_mm: number; bends: Place[] }[];
  pumps: number;
  valves: number;
  /** One unit of flow of the file, m3/h. */
  m3_h: number;
  /** One unit of length of the file, m. */
  metre: number;
  /** One unit of its coordinates, m, unless they are degrees. */
  drawn: number | 'degrees';
}

const foot_m = 0.3048;
/** m3/h in one unit of flow: EPANET 2.2 User Manual (2020), appendix A. */
const flowUnits: Readonly<Record<number, number>> = {
  [FlowUnits.CFS]: foot_m ** 3 * 3600,
  [FlowUnits.GPM]: 3.785411784e-3 * 60,
  [FlowUnits.MGD]: 3785.411784 / 24,
  [FlowUnits.IMGD]: 4546.09 / 24,
  [FlowUnits.AFD]: (43_560 * foot_m ** 3) / 24,
  [FlowUnits.LPS]: 3.6,
  [FlowUnits.LPM]: 0.06,
  [FlowUnits.MLD]: 1000 / 24,
  [FlowUnits.CMH]: 1,
  [FlowUnits.CMD]: 1 / 24,
  10: 3600, // CMS, which the package has no name for
};
const usUnits: readonly FlowUnits[] = [FlowUnits.CFS, FlowUnits.GPM, FlowUnits.MGD, FlowUnits.IMGD, FlowUnits.AFD];
const nodeKinds: Readonly<Record<NodeType, ReadNode['kind']>> = {
  [NodeType.Junction]: 'junction',
  [NodeType.Reservoir]: 'reservoir',
  [NodeType.Tank]: 'tank',
};

/** The contents of an opened file; `inp` is its text, as EPANET does not return the units of a drawing. */
export function rawNetwork(project: Project, inp: string): RawNetwork {
  const units = project.getFlowUnits();
  const isUs = usUnits.includes(units);
  const metre = isUs ? foot_m : 1;
  const nodes = numbered(project.getCount(CountType.NodeCount)).map((node) => ({
    id: project.getNodeId(node),
    kind: nodeKinds[project.getNodeType(node)],
    elevation_m: project.getNodeValue(node, NodeProperty.Elevation) * metre,
    at: placeOf(project, node),
  }));
  const links = numbered(project.getCount(CountType.LinkCount)).map((link) => ({
    link,
    type: project.getLinkType(link),
  }));
  const isPipe = (type: LinkType): boolean => type === LinkType.Pipe || type === LinkType.CVPipe;
  const pipes = links
    .filter(({ type }) => isPipe(type))
    .map(({ link }) => {
      const { node1, node2 } = project.getLinkNodes(link);
      return {
        id: project.getLinkId(link),
        link: link - 1,
        from: node1 - 1,
        to: node2 - 1,
        length_m: project.getLinkValue(link, LinkProperty.Length) * metre,
        inner_mm: project.getLinkValue(link, LinkProperty.Diameter) * (isUs ? 25.4 : 1),
        bends: numbered(project.getVertexCount(link)).map((vertex) => project.getVertex(link, vertex)),
      };
    });
  const pumps = links.filter(({ type }) => type === LinkType.Pump).length;
  const { line1, line2, line3 } = project.getTitle();
  const title = [line1, line2, line3]
    .filter((line) => line.trim() !== '')
    .join(' ')
    .slice(0, 500);
  return {
    title,
    nodes,
    pipes,
    pumps,
    valves: links.length - pipes.length - pumps,
    m3_h: flowUnits[units] ?? 1,
    metre,
    drawn: drawnIn(inp) ?? metre,
  };
}

/** Units that [BACKDROP] names, m; undefined when it names none: coordinates then use the unit of length. */
const drawingUnits: Readonly<Record<string, RawNetwork['drawn']>> = { feet: foot_m, meters: 1, degrees: 'degrees' };

function drawnIn(inp: string): RawNetwork['drawn'] | undefined {
  const [, backdrop = ''] = /^[ \t]*\[BACK[A-Z]*\]([^[]*)/im.exec(inp) ?? [];
  const [, units = ''] = /^[ \t]*UNITS[ \t]+(\w+)/im.exec(backdrop) ?? [];
  return drawingUnits[units.toLowerCase()];
}

/** From 1 on, as EPANET counts. */
export function numbered(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at + 1);
}

/** EPANET throws for a node without coordinates. */
function placeOf(project: Project, node: number): Place | null {
  try {
    return project.getCoordinates(node);
  } catch {
    return null;
  }
}

/** A network that cannot be drawn on a map. */
export class NotDrawableError extends Error {
  override readonly name = 'NotDrawableError';
  readonly code: keyof typeof networkFaults;

  constructor(message: string, code: keyof typeof networkFaults) {
    super(message);
    this.code = code;
  }
}

/** Maximum extent of a network on the map, m: beyond it the map's plane is inaccurate. */
const widestExtent_m = 100_000;

/** Coordinates within this distance of the middle of the map may be degrees. */
const near_deg = 0.5;

/** A network on the map with its flows. Throws NotDrawableError. */
export function networkOnMap(
  raw: RawNetwork,
  found: Extremes,
  { at, engine }: Pick<ReadPipesRequest, 'at'> & { engine: string },
): Omit<ReadNetwork, 'warnings' | 'truncated'> {
  const unplaced = raw.nodes.flatMap((node) => (node.at === null ? [node.id] : []));
  if (unplaced.length > 0)
    throw new NotDrawableError(`nodes without [COORDINATES]: ${unplaced.slice(0, 10).join(', ')}`, 254);
  const { placed_by, toMap } = placingOf(raw, at);
  const nodes = raw.nodes.map(({ id, kind, elevation_m, at: place }, node): ReadNode => {
    const [lng = 0, lat = 0] = toMap(place ?? { x: 0, y: 0 });
    const barOf = (heads: readonly number[]): number =>
      ((heads[node] ?? NaN) * raw.metre - elevation_m) / head_m_per_bar;
    const demand_m3_h = (found.demand[node] ?? 0) * raw.m3_h;
    const [least_bar, most_bar] = [barOf(found.leastHead), barOf(found.mostHead)];
    return { id, kind, lng, lat, elevation_m, demand_m3_h, least_bar, most_bar };
  });
  const pipes = raw.pipes.map((pipe): ReadPipe => {
    const [from, to] = [nodes[pipe.from], nodes[pipe.to]];
    const atMost = (values: readonly number[]): number => Math.abs(values[pipe.link] ?? 0);
    return {
      id: pipe.id,
      from: from?.id ?? '',
      to: to?.id ?? '',
      length_m: pipe.length_m,
      inner_mm: pipe.inner_mm,
      coordinates: [[from?.lng ?? 0, from?.lat ?? 0], ...pipe.bends.map(toMap), [to?.lng ?? 0, to?.lat ?? 0]],
      flow_m3_h: atMost(found.flow) * raw.m3_h,
      velocity_m_s: atMost(found.velocity) * raw.metre,
      head_loss_m: atMost(found.headLoss) * raw.metre,
      pressure_bar: leastBar([from, to]),
    };
  });
  const isKnown = (one: ReadNode | ReadPipe): boolean =>
    Object.values(one)
      .flat(2)
      .every((value) => typeof value === 'string' || Number.isFinite(value));
  if (![...nodes, ...pipes].every(isKnown))
    throw new NotDrawableError('its numbers are too large to be worked with', 901);
  const { title, pumps, valves } = raw;
  return { engine, title, placed_by, pipes, nodes, pumps, valves, steps: found.steps };
}

/** The lowest pressure at the ends of a pipe: a reservoir has none of its own, so the other end counts. */
function leastBar(ends: readonly (ReadNode | undefined)[]): number {
  const known = ends.filter((node) => node !== undefined);
  const junctions = known.filter(({ kind }) => kind !== 'reservoir');
  return Math.min(...(junctions.length > 0 ? junctions : known).map(({ least_bar }) => least_bar));
}

/** Degrees if the file says so, or if the whole network then lies near the middle of the map; else metres around it. */
function placingOf(
  { nodes, pipes, drawn }: RawNetwork,
  { lat, lng }: ReadPipesRequest['at'],
): { placed_by: ReadNetwork['placed_by']; toMap: (place: Place) => number[] } {
  const places = [...nodes.flatMap(({ at }) => at ?? []), ...pipes.flatMap(({ bends }) => bends)];
  const isNear = ({ x, y }: Place): boolean => Math.abs(x - lng) < near_deg && Math.abs(y - lat) < near_deg;
  const isOnEarth = ({ x, y }: Place): boolean => Math.abs(x) <= 180 && Math.abs(y) < 85;
  if (places.every(isNear) || (drawn === 'degrees' && places.every(isOnEarth)))
    return { placed_by: 'degrees', toMap: ({ x, y }) => [x, y] };
  if (drawn === 'degrees') throw new NotDrawableError('[BACKDROP] says degrees, and coordinates are none', 902);
  const range = (pick: (place: Place) => number) => {
    const values = places.map(pick);
    const least = values.reduce((low, value) => Math.min(low, value), Infinity);
    const most = values.reduce((high, value) => Math.max(high, value), -Infinity);
    return { middle: (least + most) / 2, extent_m: (most - least) * drawn };
  };
  const [east, north] = [range(({ x }) => x), range(({ y }) => y)];
  const extent_m = Math.max(east.extent_m, north.extent_m);
  if (!(extent_m <= widestExtent_m))
    throw new NotDrawableError(`[COORDINATES] are over ${widestExtent_m / 1000} km apart`, 903);
  const plane = proj4(`+proj=tmerc +lat_0=${lat} +lon_0=${lng} +k=1 +datum=WGS84 +units=m`);
  const toMap = ({ x, y }: Place): number[] =>
    plane.inverse([(x - east.middle) * drawn, (y - north.middle) * drawn]).map((degrees) => Number(degrees.toFixed(9)));
  return { placed_by: 'metres', toMap };
}
