import { stringify } from 'csv-stringify/browser/esm/sync';
import type { Feature } from '../../../server/contract/overlay.ts';
import { columnsOf } from '../../../server/contract/shape-file.ts';

/** The points of a map as a table for a spreadsheet (RFC 4180). */
export function csvText(features: readonly Feature[]): string {
  const head = [
    'name',
    'type',
    'latitude',
    'longitude',
    'altitude_m',
    'unique_id',
    'device_id',
    'channel',
    'properties',
  ];
  const rows = features.flatMap((feature) => {
    if (feature.geometry.type !== 'Point') return [];
    const [lng, lat, altitude = null] = feature.geometry.coordinates;
    const { name, type, unique_id, device_id, channel, properties } = columnsOf(feature);
    return [[name, type, lat, lng, altitude, unique_id, device_id, channel, properties]];
  });
  // By the mark a spreadsheet knows UTF-8. A name that begins like a formula gets an apostrophe before it.
  return `\uFEFF${stringify([head, ...rows], { escape_formulas: true, record_delimiter: 'windows' })}`;
}
