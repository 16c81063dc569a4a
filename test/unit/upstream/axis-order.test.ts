import { expect, it } from 'vitest';
import { isNorthFirst } from '../../../server/upstream/axis-order.ts';

// By the EPSG registry (epsg.org), the first axis of each.
it.each([
  ['EPSG:4326', true], // WGS 84: latitude
  ['EPSG:3857', false], // Web Mercator: easting
  ['EPSG:5186', true], // Korea 2000 / Central Belt 2010: northing
  ['EPSG:5179', true], // Korea 2000 / Unified CS: northing
  ['EPSG:2097', true], // Korean 1985 / Central Belt: northing
  ['EPSG:6677', true], // JGD2011 / Japan Plane Rectangular IX: northing
  ['EPSG:32652', false], // WGS 84 / UTM 52N: easting
  ['EPSG:25832', false], // ETRS89 / UTM 32N: easting
  ['EPSG:3035', true], // ETRS89 / LAEA Europe: northing
  ['EPSG:28992', false], // Amersfoort / RD New: easting
  ['EPSG:2180', true], // ETRF2000-PL / CS92: northing
  ['EPSG:27700', false], // British National Grid: easting
  ['EPSG:4978', false], // WGS 84, geocentric
  ['EPSG:999999', false],
  ['CRS:84', false],
])('%s has north first: %s', (crs, expected) => {
  expect(isNorthFirst(crs)).toBe(expected);
});
