import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { isNorthFirst } from './axis-order.ts';

type Position = [lng: number, lat: number];
type Element = Readonly<Record<string, unknown>>;

/** A feature of a Web Feature Service: its texts by name, and the polygons of its outline in degrees. */
export interface GmlFeature {
  values: ReadonlyMap<string, string>;
  /** null when it has curves, another coordinate system or is otherwise unreadable. */
  polygons: Position[][][] | null;
}

const mostFeatures = 200;
const mostPositions = 20_000;
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  maxNestedTags: 60,
  htmlEntities: true, // numbered signs, e.g. &#39;
  processEntities: { enabled: true, maxEntityCount: 1, maxTotalExpansions: 100_000, maxExpandedLength: 200_000 },
});

/**
 * The features in an answer to GetFeature (OGC 09-025r2, GML 3.2.1): polygons and surfaces of straight edges in WGS 84.
 * null for any other answer.
 */
export function readGmlFeatures(xml: string): GmlFeature[] | null {
  if (/<!(DOCTYPE|ENTITY)/i.test(xml) || XMLValidator.validate(xml) !== true) return null;
  try {
    const root: unknown = parser.parse(xml);
    const collection = isElement(root) ? root['FeatureCollection'] : undefined;
    if (!isElement(collection) && collection !== '') return null;
    const members = isElement(collection) ? elements(collection['member']).flatMap(featuresOf) : [];
    return members.slice(0, mostFeatures).map(featureOf);
  } catch {
    return null; // of another form within
  }
}

/** A member holds one feature, or a collection of them. */
function featuresOf(member: Element): Element[] {
  const inner = member['FeatureCollection'];
  if (isElement(inner)) return elements(inner['member']).flatMap(featuresOf);
  return Object.entries(member).flatMap(([name, value]) => (name.startsWith('@') ? [] : elements(value)));
}

function featureOf(feature: Element): GmlFeature {
  const texts = Object.entries(feature).flatMap(([name, value]): [string, string][] => {
    const text = isElement(value) ? value['#text'] : value;
    return typeof text === 'string' && !name.startsWith('@') ? [[name, text]] : [];
  });
  return { values: new Map(texts), polygons: outlineOf(feature) };
}

function outlineOf(feature: Element): GmlFeature['polygons'] {
  const held = Object.entries(feature).filter(([name]) => name !== 'boundedBy');
  try {
    return held.flatMap(([, value]) => elements(value).flatMap((one) => polygonsIn(one, undefined)));
  } catch {
    return null;
  }
}

const holders = [
  'MultiSurface',
  'MultiPolygon',
  'surfaceMember',
  'surfaceMembers',
  'polygonMember',
  'Surface',
  'patches',
];
const outlines = ['Polygon', 'PolygonPatch'];

/** The coordinate system of an element applies to those inside it. */
function polygonsIn(holder: Element, above: string | undefined): Position[][][] {
  return Object.entries(holder).flatMap(([name, value]) => {
    if (!holders.includes(name) && !outlines.includes(name)) return [];
    return elements(value).flatMap((one) => {
      const crs = textOf(one['@srsName']) ?? above;
      return outlines.includes(name) ? [polygonOf(one, crs)] : polygonsIn(one, crs);
    });
  });
}

function polygonOf(polygon: Element, crs: string | undefined): Position[][] {
  const bounds = [...elements(polygon['exterior']), ...elements(polygon['interior'])];
  return bounds.map((bound) => {
    const [ring] = elements(bound['LinearRing']);
    const list = ring?.['posList'];
    if (ring === undefined || list === undefined) throw new Error('a ring that is no line of straight edges');
    const text = textOf(isElement(list) ? list['#text'] : list) ?? '';
    const told = (isElement(list) && textOf(list['@srsDimension'])) || textOf(polygon['@srsDimension']);
    return positionsOf(text, { crs: textOf(ring['@srsName']) ?? crs, dimension: Number(told || 2) });
  });
}

function positionsOf(text: string, { crs, dimension }: { crs: string | undefined; dimension: number }): Position[] {
  const numbers = text.trim().split(/\s+/).map(Number);
  const isWhole = dimension >= 2 && dimension <= 3 && numbers.length % dimension === 0;
  if (!isWhole || numbers.length > mostPositions * dimension || !numbers.every(Number.isFinite)) {
    throw new Error('no list of positions');
  }
  const isSwapped = latitudeFirst(crs);
  return Array.from({ length: numbers.length / dimension }, (_, at) => {
    const [first = NaN, second = NaN] = numbers.slice(at * dimension);
    return isSwapped ? [second, first] : [first, second];
  });
}

/**
 * The spelling determines the order: the URN and the URL of a system mean its own, the short form means east first (OGC
 * 06-121r9, 10.7).
 */
function latitudeFirst(crs: string | undefined): boolean {
  if (crs === undefined) throw new Error('no coordinate system');
  if (/CRS:?:?84$/i.test(crs) || /CRS84$/i.test(crs)) return false;
  const code = /epsg(?:\.xml)?[:/#](?:[\d.]{0,10}[:/])?(\d{4,6})$/i.exec(crs)?.[1];
  if (code !== '4326' && code !== '4258') throw new Error('another coordinate system');
  return /^(urn:|https?:\/\/www\.opengis\.net\/def\/)/.test(crs) && isNorthFirst(`EPSG:${code}`);
}

function elements(value: unknown): Element[] {
  return [value].flat().filter(isElement);
}

function isElement(value: unknown): value is Element {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
