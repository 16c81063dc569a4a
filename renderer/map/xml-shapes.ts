import { gpx, kml } from '@tmcw/togeojson';
import { FileFault } from './file-fault.ts';
import { gpxPrefix } from './gpx-prefix.ts';
import { shapesOfGeoJson, type FoundShapes } from './geojson.ts';

type KmlGeometry = ReturnType<typeof kml>['features'][number]['geometry'];

/** The places, lines and areas of a KML file, the waypoints, routes and tracks of a GPX file. Nothing it links to is loaded. Throws FileFault. */
export function readXmlShapes(text: string, ending: '.kml' | '.gpx'): FoundShapes {
  const document = new DOMParser().parseFromString(text, 'application/xml');
  if (document.querySelector('parsererror') !== null) throw new FileFault('notXml');
  const root = document.documentElement.localName;
  if (ending === '.kml' && root !== 'kml') throw new FileFault('notKml');
  if (ending === '.gpx' && root !== 'gpx') throw new FileFault('notGpx');
  const { features } = ending === '.kml' ? kml(document) : gpx(document);
  // When each point of a track was passed is no property of a shape, nor is the name of its element.
  const kept = features.map(({ geometry, properties }) => {
    const { coordinateProperties: _, _gpxType: _element, ...others } = properties ?? {};
    return {
      type: 'Feature',
      geometry: joined(geometry),
      properties: ending === '.gpx' ? withoutPrefix(others) : others,
    };
  });
  return shapesOfGeoJson({ type: 'FeatureCollection', features: kept });
}

function withoutPrefix(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const own = `${gpxPrefix}_`;
  return Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [key.startsWith(own) ? key.slice(own.length) : key, value]),
  );
}

/** KML has no word for one shape of several parts but a collection of them. */
function joined(geometry: KmlGeometry): KmlGeometry {
  if (geometry?.type !== 'GeometryCollection') return geometry;
  const kinds = new Set(geometry.geometries.map(({ type }) => type));
  const coordinates = geometry.geometries.flatMap((one) => ('coordinates' in one ? [one.coordinates] : []));
  const [kind = ''] = kinds;
  return kinds.size === 1 && coordinates.length > 0 ? ({ type: `Multi${kind}`, coordinates } as KmlGeometry) : geometry; // a list of what is in one
}
