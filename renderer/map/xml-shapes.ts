import { gpxGen, kmlGen, type kml } from '@tmcw/togeojson';
import { DOMParser } from '@xmldom/xmldom';
import { XMLValidator } from 'fast-xml-parser';
import type { Geometry } from '../../server/contract/overlay.ts';
import { checkGeometry, isFault } from '../../server/domain/geometry/feature-geometry.ts';
import { FileFault } from './file-fault.ts';
import { gpxPrefix } from './gpx-prefix.ts';
import { propertiesOfTexts, entriesOfEach, type FileEntries } from './geojson.ts';

type ReadGeometry = ReturnType<typeof kml>['features'][number]['geometry'];

/** When each point of a track was passed is no property of a shape, nor is the name of its element. */
const ofTracks = ['coordinateProperties', '_gpxType'];
/** How another program draws and shows a shape: Google Earth gives each some of it. */
const looks = [
  'styleUrl',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'fill',
  'fill-opacity',
  'visibility',
  'icon',
  'icon-color',
  'icon-opacity',
  'icon-scale',
  'icon-heading',
  'icon-offset',
  'icon-offset-units',
  'label-color',
  'label-opacity',
  'label-scale',
  'refreshVisibility',
  'flyToView',
];
const noProperties = { '.kml': new Set([...ofTracks, ...looks]), '.gpx': new Set(ofTracks) };

/** Elements that are entries, which togeojson takes in this order. */
const entries = { '.kml': ['Placemark', 'GroundOverlay', 'NetworkLink'], '.gpx': ['trk', 'rte', 'wpt'] };

/**
 * The places, lines and areas of a KML file, the waypoints, routes and tracks of a GPX file. Nothing it links to is
 * loaded. Throws FileFault.
 */
export function readXmlShapes(text: string, ending: '.kml' | '.gpx'): FileEntries {
  const document = parsed(text);
  const root = document.documentElement.localName;
  if (ending === '.kml' && root !== 'kml') throw new FileFault('notKml');
  if (ending === '.gpx' && root !== 'gpx') throw new FileFault('notGpx');
  const count = entries[ending].reduce((sum, name) => sum + document.getElementsByTagName(name).length, 0);
  return { count, found: entriesOfEach(featuresOf(document, ending), propertiesOfTexts) };
}

/** Without the parser of the browser, which threads do not have. */
function parsed(text: string): Document {
  // The parser takes much that is no XML; the rest of a file that was cut off would be missed unseen.
  if (XMLValidator.validate(text) !== true) throw new FileFault('notXml');
  const errorHandler = (): never => {
    throw new FileFault('notXml');
  };
  return new DOMParser({ errorHandler }).parseFromString(text, 'application/xml');
}

function* featuresOf(document: Document, ending: '.kml' | '.gpx'): Generator<object> {
  for (const { geometry, properties } of ending === '.kml' ? kmlGen(document) : gpxGen(document)) {
    const others = without(noProperties[ending], properties ?? {});
    yield {
      type: 'Feature',
      geometry: joined(geometry),
      properties: ending === '.gpx' ? withoutPrefix(others) : others,
    };
  }
}

function without(keys: ReadonlySet<string>, properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).filter(([key]) => !keys.has(key)));
}

function withoutPrefix(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const own = `${gpxPrefix}_`;
  return Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [key.startsWith(own) ? key.slice(own.length) : key, value]),
  );
}

/** KML has no word for one shape of several parts but a collection of them: one of areas that overlap is no shape. */
function joined(geometry: ReadGeometry): ReadGeometry {
  if (geometry?.type !== 'GeometryCollection') return geometry;
  const kinds = new Set(geometry.geometries.map(({ type }) => type));
  const coordinates = geometry.geometries.flatMap((one) => ('coordinates' in one ? [one.coordinates] : []));
  const [kind = ''] = kinds;
  if (kinds.size !== 1 || coordinates.length === 0) return geometry;
  const whole = { type: `Multi${kind}`, coordinates } as Geometry; // a list of what is in one
  return isFault(checkGeometry(whole, 'reference')) ? geometry : whole;
}
