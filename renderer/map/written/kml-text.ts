import type { Feature, Geometry } from '../../../server/contract/overlay.ts';
import { columnsOf } from '../../../server/contract/shape-file.ts';
import type { Position } from '../geometry.ts';
import { decimalText } from './decimal-text.ts';
import { xmlLetters, xmlText } from './xml-text.ts';

type Ring = readonly Position[];

/** A map as KML (OGC 07-147r2); what it has no element for stands in the ExtendedData of each place. */
export function kmlText(name: string, features: readonly Feature[]): string {
  const Placemark = features.map(placemarkOf);
  return xmlText({
    kml: { '@xmlns': 'http://www.opengis.net/kml/2.2', Document: { name: xmlLetters(name), Placemark } },
  });
}

function placemarkOf(feature: Feature): object {
  const { name, ...columns } = columnsOf(feature);
  const Data = Object.entries(columns).flatMap(([key, value]) =>
    value === null ? [] : [{ '@name': key, value: xmlLetters(String(value)) }],
  );
  return { ...(name !== '' && { name: xmlLetters(name) }), ExtendedData: { Data }, ...elementOf(feature.geometry) };
}

function elementOf(geometry: Geometry): object {
  switch (geometry.type) {
    case 'Point':
      return { Point: line([geometry.coordinates]) };
    case 'LineString':
      return { LineString: line(geometry.coordinates) };
    case 'Polygon':
      return { Polygon: area(geometry.coordinates) };
    case 'MultiPoint':
      return { MultiGeometry: { Point: geometry.coordinates.map((one) => line([one])) } };
    case 'MultiLineString':
      return { MultiGeometry: { LineString: geometry.coordinates.map(line) } };
    case 'MultiPolygon':
      return { MultiGeometry: { Polygon: geometry.coordinates.map(area) } };
  }
}

function line(positions: Ring): object {
  return { coordinates: positions.map((position) => position.map(decimalText).join(',')).join(' ') };
}

function area([outline = [], ...holes]: readonly Ring[]): object {
  const boundary = (ring: Ring): object => ({ LinearRing: line(ring) });
  return { outerBoundaryIs: boundary(outline), innerBoundaryIs: holes.map(boundary) };
}
