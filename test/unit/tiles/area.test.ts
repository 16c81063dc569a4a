import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AreaTiles } from '../../../server/tiles/area.ts';

describe('the tiles of an area', () => {
  it.each([
    [[-180, -90, 180, 90], 0, 0, 1],
    [[-180, -90, 180, 90], 0, 3, 85],
    [[126.97, 37.56, 126.98, 37.57], 0, 0, 1],
    [[-0.001, -0.001, 0.001, 0.001], 5, 5, 4],
  ] as const)('of %j, zoom %d to %d: %d', (bbox, min_zoom, max_zoom, count) => {
    expect(new AreaTiles({ bbox, min_zoom, max_zoom }).count).toBe(count);
  });

  it('is the one in which a place lies (OpenStreetMap wiki, Slippy map tilenames: Hachioji)', () => {
    const [lng, lat] = [139.7006793, 35.6590699];
    const area = new AreaTiles({ bbox: [lng, lat, lng + 1e-9, lat + 1e-9], min_zoom: 18, max_zoom: 18 });
    expect(area.at(0)).toEqual({ z: 18, x: 232_798, y: 103_246 });
  });

  it('are each named once, in the order of their zooms, and lie within their zoom', () => {
    const degrees = (most: number) => fc.double({ min: -most, max: most, noNaN: true });
    fc.assert(
      fc.property(degrees(179), degrees(89), fc.nat(12), fc.nat(2), (west, south, min_zoom, more) => {
        const bbox = [west, south, west + 0.05, Math.min(90, south + 0.05)] as const;
        const area = new AreaTiles({ bbox, min_zoom, max_zoom: min_zoom + more });
        const all = Array.from({ length: area.count }, (_, index) => area.at(index));
        expect(new Set(all.map(({ z, x, y }) => `${z}/${x}/${y}`)).size).toBe(area.count);
        expect(all.map(({ z }) => z)).toEqual(all.map(({ z }) => z).sort((a, b) => a - b));
        for (const { z, x, y } of all) expect(Math.min(x, y) >= 0 && Math.max(x, y) < 2 ** z).toBe(true);
        expect(() => area.at(area.count)).toThrow(RangeError);
      }),
      { numRuns: 50 },
    );
  });
});
