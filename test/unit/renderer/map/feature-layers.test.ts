// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { FeatureLayers } from '../../../../renderer/map/feature-layers.ts';
import { typeLayersOf } from '../../../../renderer/map/layer-settings.ts';
import { L } from '../../../../renderer/map/leaflet.ts';
import { lightLook } from '../../../../renderer/map/look.ts';
import type { PaintMessage } from '../../../../renderer/map/shapes/paint-loop.ts';
import type { Feature } from '../../../../server/contract/overlay.ts';
import { square } from './features.ts';

/** Which shapes the painter has after what it was told. */
class Painter extends EventTarget {
  readonly keys = new Set<number>();

  postMessage(message: PaintMessage): void {
    if (message.kind === 'clear') this.keys.clear();
    if (message.kind === 'put') for (const key of message.shapes.keys) this.keys.add(key);
    if (message.kind === 'remove') for (const key of message.keys) this.keys.delete(key);
  }

  terminate(): void {}
}

it('leaves no shape of a large map that was replaced while it was taken in under its sketch', async () => {
  vi.useFakeTimers();
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 20)); // each portion takes a slice
  const painter = new Painter();
  const map = L.map(document.createElement('div')).setView([0, 0], 15);
  const layers = new FeatureLayers(map, {
    look: lightLook,
    painter: painter as unknown as Worker, // what of it is used here
    clicked: () => undefined,
    device: () => ({ kind: 'other', value: '' }),
  });
  const [layer] = typeLayersOf();
  if (layer === undefined) throw new Error('there are layers');
  layers.showSketch([{ geometry: square(1).geometry, layer, rank: 0 }]);
  const many = Array.from({ length: 6_000 }, (_, at): Feature => {
    const { properties, ...rest } = square(1);
    return { ...rest, properties: { ...properties, unique_id: `id ${at}` } };
  });
  layers.replaceAll(many, () => undefined);
  expect(painter.keys.size).toBeGreaterThan(1);
  expect(painter.keys.size).toBeLessThan(many.length);
  layers.replaceAll([square(1), square(2)], () => undefined);
  vi.runAllTimers();
  expect(painter.keys.size).toBe(2);
  await Promise.resolve(); // the canvas asks for a picture at the end of a turn
  map.remove();
  vi.restoreAllMocks();
  vi.useRealTimers();
});
