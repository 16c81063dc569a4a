import { gpx, kml } from '@tmcw/togeojson';
import { FileFault } from './file-fault.ts';
import { shapesOfGeoJson, type FoundShapes } from './geojson.ts';

/** The places, lines and areas of a KML file, the waypoints, routes and tracks of a GPX file. Nothing it links to is loaded. Throws FileFault. */
export function readXmlShapes(text: string, ending: '.kml' | '.gpx'): FoundShapes {
  const document = new DOMParser().parseFromString(text, 'application/xml');
  if (document.querySelector('parsererror') !== null) throw new FileFault('notXml');
  const root = document.documentElement.localName;
  if (ending === '.kml' && root !== 'kml') throw new FileFault('notKml');
  if (ending === '.gpx' && root !== 'gpx') throw new FileFault('notGpx');
  const { features } = ending === '.kml' ? kml(document) : gpx(document);
  // When each point of a track was passed is no property of a shape.
  const kept = features.map(({ geometry, properties }) => {
    const { coordinateProperties: _, ...others } = properties ?? {};
    return { type: 'Feature', geometry, properties: others };
  });
  return shapesOfGeoJson({ type: 'FeatureCollection', features: kept });
}
