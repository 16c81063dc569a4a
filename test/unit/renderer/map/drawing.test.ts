// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { startDrawing } from '../../../../renderer/map/drawing.ts';
import type { Position } from '../../../../renderer/map/geometry.ts';
import { L } from '../../../../renderer/map/leaflet.ts';
import { lightLook } from '../../../../renderer/map/look.ts';

it.each([
  ['mouse', false],
  ['finger', true],
])('takes back every corner that was set by %s, the first too, and goes on', async (_by, isTouch) => {
  const element = document.createElement('div');
  document.body.append(element);
  const map = L.map(element).setView([37.5, 127], 19);
  const told: Position[][] = [];
  const drawing = startDrawing(
    map,
    { progress: (positions) => told.push(positions), finished: () => undefined, refused: () => undefined },
    { tool: 'polygon', look: lightLook, isTouch, crossesText: '' },
  );
  const [a, b] = [
    [127, 37.5],
    [127.0001, 37.5],
  ];
  drawing.addCorner(a ?? []);
  drawing.addCorner(b ?? []);
  drawing.removeLast();
  expect(drawing.corners).toEqual([a]);
  drawing.removeLast();
  expect(drawing.corners).toEqual([]);
  expect(told.at(-1)).toEqual([]);
  await Promise.resolve(); // leaflet-draw begins again
  drawing.addCorner(b ?? []);
  expect(drawing.corners).toEqual([b]);
  drawing.stop();
  map.remove();
});
