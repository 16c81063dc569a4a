import type { Feature } from '../../../server/contract/overlay.ts';
import { columnsOf } from '../../../server/contract/shape-file.ts';
import { gpxPrefix } from '../gpx-prefix.ts';
import type { Position } from '../geometry.ts';
import { decimalText } from './decimal-text.ts';
import { xmlLetters, xmlText } from './xml-text.ts';

/** A map as GPX 1.1: its points as waypoints and its lines as tracks. It has no areas. */
export function gpxText(name: string, features: readonly Feature[]): string {
  const wpt = features.flatMap((feature) =>
    feature.geometry.type === 'Point' ? [{ ...pointOf(feature.geometry.coordinates), ...saidOf(feature) }] : [],
  );
  const trk = features.flatMap((feature) => {
    const segments = segmentsOf(feature);
    return segments.length === 0 ? [] : [{ ...saidOf(feature), trkseg: segments }];
  });
  const root = {
    '@version': '1.1',
    '@creator': 'Orangery',
    '@xmlns': 'http://www.topografix.com/GPX/1/1',
    [`@xmlns:${gpxPrefix}`]: 'urn:orangery:map',
  };
  return xmlText({ gpx: { ...root, metadata: { name: xmlLetters(name) }, wpt, trk } });
}

function segmentsOf({ geometry }: Feature): object[] {
  if (geometry.type === 'LineString') return [{ trkpt: geometry.coordinates.map(pointOf) }];
  if (geometry.type !== 'MultiLineString') return [];
  return geometry.coordinates.map((line) => ({ trkpt: line.map(pointOf) }));
}

function pointOf([lng = 0, lat = 0, altitude]: Position): object {
  const ele = altitude === undefined ? {} : { ele: decimalText(altitude) };
  return { '@lat': decimalText(lat), '@lon': decimalText(lng), ...ele };
}

function saidOf(feature: Feature): object {
  const { name, type, ...columns } = columnsOf(feature);
  const own = Object.entries(columns).flatMap(([key, value]) =>
    value === null ? [] : [[`${gpxPrefix}:${key}`, xmlLetters(String(value))] as const],
  );
  return { ...(name !== '' && { name: xmlLetters(name) }), type, extensions: Object.fromEntries(own) };
}
