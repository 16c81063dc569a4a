// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { L } from '../../../../renderer/map/leaflet.ts';
import { panClear, type Covered } from '../../../../renderer/map/sight.ts';

type Corner = [x: number, y: number];

/** Of the map, px. */
const size = { width: 800, height: 600 };

describe('panClear', () => {
  let map: L.Map;

  beforeEach(() => {
    const element = document.createElement('div');
    for (const [name, value] of [
      ['clientWidth', size.width],
      ['clientHeight', size.height],
    ] as const)
      Object.defineProperty(element, name, { value });
    document.body.append(element);
    map = L.map(element, { zoomAnimation: false, fadeAnimation: false }).setView([37.5, 127], 18);
  });

  afterEach(() => map.remove());

  it.each<[string, Corner, Corner, Covered, Corner]>([
    ['one in sight', [100, 100], [200, 200], {}, [0, 0]],
    ['one beyond the right edge', [850, 200], [950, 300], {}, [190, 0]],
    ['one beneath a form at the right', [500, 200], [560, 300], { right: 340 }, [140, 0]],
    ['one beneath a form at the bottom', [100, 400], [200, 500], { bottom: 312 }, [0, 252]],
    ['one beneath the tools at the top', [100, 20], [200, 120], { top: 60, bottom: 312 }, [0, -80]],
    ['one beyond the left edge', [-100, 100], [20, 200], {}, [-140, 0]],
    ['one that is wider than the room, by its middle', [300, 200], [1300, 300], {}, [400, 0]],
  ])('moves by what brings %s into the clear', async (_what, upper, lower, covered, by) => {
    const bounds = L.latLngBounds([upper, lower].map((corner) => map.containerPointToLatLng(corner)));
    const before = map.latLngToContainerPoint(bounds.getNorthWest());
    const rested = new Promise((resolve) => map.once('moveend', resolve));
    panClear(map, bounds, covered);
    await rested;
    const after = map.latLngToContainerPoint(bounds.getNorthWest());
    const [x, y] = [before.x - after.x, before.y - after.y];
    expect(Math.abs(x - by[0])).toBeLessThanOrEqual(1); // Leaflet rounds to whole px
    expect(Math.abs(y - by[1])).toBeLessThanOrEqual(1);
    expect(map.getZoom()).toBe(18);
  });
});
