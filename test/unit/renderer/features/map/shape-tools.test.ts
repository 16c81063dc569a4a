import { expect, test } from 'vitest';
import { checkGeometry, isFault } from '../../../../../server/domain/geometry/feature-geometry.ts';
import { soundAll } from '../../../../../renderer/features/map/shape-tools/shape-tool.ts';

test('sides that all but touch, and cross once they are rounded, are drawn apart', async () => {
  const ring = [
    [127.000108588, 37.499846671],
    [127.00008389, 37.499846671],
    [127.000018117, 37.499696203],
    [127.000045843, 37.499846671],
    [127.000018117, 37.499846671],
    [127.000018117, 37.49966647],
    [127.000108588, 37.499666469],
    [127.000108588, 37.499846671],
  ];
  const crossed = { type: 'Polygon' as const, coordinates: [ring] };
  expect(isFault(checkGeometry(crossed, 'facility'))).toBe(true);
  const properties = { type: 'facility' as const, name: '', unique_id: '00000000-0000-4000-8000-000000000001' };
  const [sound] = (await soundAll([{ type: 'Feature', geometry: crossed, properties }])) ?? [];
  expect(sound && isFault(checkGeometry(sound.geometry, 'facility'))).toBe(false);
});
