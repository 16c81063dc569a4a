import { expect, it } from 'vitest';
import { baseMapEndpoints } from '../../../../../../server/contract/base-map.ts';
import { nameOf } from '../../../../../../renderer/features/settings/services/use-map-upload.ts';

it.each([
  ['farm.mbtiles', 'farm.mbtiles'],
  ['My farm (2026).PMTILES', 'My-farm-2026.pmtiles'],
  ['우리 마을.mbtiles', 'map.mbtiles'],
  ['../../etc/passwd', 'map.mbtiles'],
  [`${'a'.repeat(100)}.mbtiles`, `${'a'.repeat(64)}.mbtiles`],
])('the map file %s is kept as %s', (given, kept) => {
  expect(nameOf(given)).toBe(kept);
  const query = { name: nameOf(given), offset: 0, total_bytes: 1 };
  expect(baseMapEndpoints.upload.query?.safeParse(query).success).toBe(true);
});
