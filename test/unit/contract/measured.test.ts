import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { measurementEndpoints } from '../../../server/contract/measurement-query.ts';
import { seriesKey } from '../../../server/contract/measured.ts';

const series = {
  device_id: '00000000-0000-4000-8000-000000000001',
  measurement_id: '00000000-0000-4000-8000-000000000002',
};
const root = join(import.meta.dirname, '../../..');

it('names a series as a query reads it', () => {
  const query = { series: seriesKey(series), from: '2026-01-15T05:00:00Z' };
  expect(measurementEndpoints.multi.query?.parse(query).series).toBe(seriesKey(series));
});

it('is the one way in which pages name a series', () => {
  const files = globSync('renderer/**/*.{ts,vue}', { cwd: root });
  const byHand = files.filter((file) => /\}\/\$\{\S*measurement_id\}/.test(readFileSync(join(root, file), 'utf8')));
  expect(byHand).toEqual([]);
});
