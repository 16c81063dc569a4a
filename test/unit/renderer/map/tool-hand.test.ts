// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { FeatureLayers } from '../../../../renderer/map/feature-layers.ts';
import { L } from '../../../../renderer/map/leaflet.ts';
import { lightLook } from '../../../../renderer/map/look.ts';
import { ToolHand } from '../../../../renderer/map/tool-hand.ts';
import type { Geometry } from '../../../../server/contract/overlay.ts';
import { square } from './features.ts';

class Painter extends EventTarget {
  postMessage(): void {}
  terminate(): void {}
}

it('offers an outline that was dragged over itself like any other, so that its refusal is said', async () => {
  const element = document.createElement('div');
  // The document lays nothing out.
  Object.defineProperties(element, { clientWidth: { value: 800 }, clientHeight: { value: 600 } });
  const map = L.map(element).setView([0, 0.1], 15);
  const features = new FeatureLayers(map, {
    look: lightLook,
    painter: new Painter() as unknown as Worker, // what of it is used here
    clicked: () => undefined,
    device: () => ({ kind: 'other', value: '' }),
  });
  const offered: Geometry[] = [];
  const reshaped = (_id: string, geometry: Geometry): boolean => offered.push(geometry) === 0; // refuses
  const hand = new ToolHand(map, features, { listener: { reshaped }, look: () => lightLook });
  const shape = square(1);
  features.replaceAll([shape], () => undefined);
  hand.edit(shape);
  let corner: L.Marker | undefined;
  map.eachLayer((layer) => {
    if (layer instanceof L.Marker && layer.getLatLng().equals([0, 0.1])) corner = layer;
  });
  corner?.setLatLng([0.005, 0.12]).fire('dragend');
  expect(offered).toHaveLength(1);
  expect(offered[0]?.coordinates.flat(1)).toContainEqual([0.12, 0.005]);
  hand.stop();
  await Promise.resolve(); // the canvas asks for a picture at the end of a turn
  map.remove();
});
