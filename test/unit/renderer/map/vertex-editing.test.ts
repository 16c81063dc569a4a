// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it } from 'vitest';
import { L } from '../../../../renderer/map/leaflet.ts';
import { positionsOf } from '../../../../renderer/map/topology/plane.ts';
import { VertexEditing } from '../../../../renderer/map/vertex-editing.ts';
import type { Geometry } from '../../../../server/contract/overlay.ts';

let map: L.Map;
/** What the drags made, the last at the end. */
let made: Geometry[];

beforeEach(() => {
  const element = document.createElement('div');
  document.body.append(element);
  map = L.map(element).setView([37.5, 127], 19);
  made = [];
});

afterEach(() => void map.remove());

function edit(geometry: Geometry): VertexEditing {
  return new VertexEditing(map, geometry, {
    snapped: (place) => place,
    moving: () => undefined,
    changed: (changed) => made.push(changed) > 0,
  });
}

function handles(kind: 'corner' | 'middle'): L.Marker[] {
  const all: L.Marker[] = [];
  map.eachLayer((layer) => {
    const isOne = layer instanceof L.Marker && layer.getIcon().options.className?.endsWith(kind) === true;
    if (isOne) all.push(layer);
  });
  return all;
}

it('leaves a corner that is dragged at its altitude', () => {
  edit({ type: 'LineString', coordinates: [[127, 37.5, 12.5], [127.001, 37.5, 13]] }); // prettier-ignore
  handles('corner')[0]?.setLatLng([37.4999, 127]).fire('dragend');
  expect(made.map(positionsOf)).toEqual([[[127, 37.4999, 12.5], [127.001, 37.5, 13]]]); // prettier-ignore
});
