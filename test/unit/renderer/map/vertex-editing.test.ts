// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { L } from '../../../../renderer/map/leaflet.ts';
import { positionsOf } from '../../../../renderer/map/topology/plane.ts';
import { VertexEditing } from '../../../../renderer/map/vertex-editing.ts';
import type { Geometry } from '../../../../server/contract/overlay.ts';

let map: L.Map;
/** What the drags made, the last at the end. */
let made: Geometry[];
/** How often too many corners had come into view. */
let crowded: number;

beforeEach(() => {
  const element = document.createElement('div');
  // The document lays nothing out.
  Object.defineProperties(element, { clientWidth: { value: 800 }, clientHeight: { value: 600 } });
  document.body.append(element);
  map = L.map(element).setView([37.5, 127], 19);
  made = [];
  crowded = 0;
});

afterEach(() => void map.remove());

function edit(geometry: Geometry): VertexEditing {
  return new VertexEditing(map, geometry, {
    snapped: (place) => place,
    moving: () => undefined,
    changed: (changed) => made.push(changed) > 0,
    crowded: () => (crowded += 1),
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

it('gives a corner that is dragged out of a side the altitude half way, where both ends have one', () => {
  edit({ type: 'LineString', coordinates: [[127, 37.5, 12], [127.001, 37.5, 13], [127.002, 37.5]] }); // prettier-ignore
  handles('middle')[0]?.setLatLng([37.4999, 127.0005]).fire('dragend');
  expect(made[0] && positionsOf(made[0])[1]).toEqual([127.0005, 37.4999, 12.5]);
  edit({ type: 'LineString', coordinates: [[127, 37.5, 12], [127.001, 37.5]] }); // prettier-ignore
  handles('middle').at(-1)?.setLatLng([37.4999, 127.0005]).fire('dragend');
  expect(made[1] && positionsOf(made[1])[1]).toEqual([127.0005, 37.4999]);
});

/** Presses on a handle and moves it by so many px. */
function press(marker: L.Marker | undefined, by_px: number): void {
  const down = new MouseEvent('mousedown', { bubbles: true });
  Object.defineProperty(down, 'which', { value: 1 }); // by which Leaflet knows the button
  marker?.getElement()?.dispatchEvent(down);
  document.body.dispatchEvent(new MouseEvent('mousemove', { bubbles: true, clientX: by_px }));
}
const release = () => document.body.dispatchEvent(new MouseEvent('mouseup', { bubbles: true }));

it('lets a corner be dragged that was taken hold of while the map still glided', () => {
  edit({ type: 'LineString', coordinates: [[127, 37.5], [127.0001, 37.5]] }); // prettier-ignore
  const stopped = vi.spyOn(map, 'stop');
  press(handles('corner')[0], 10);
  expect(stopped).toHaveBeenCalledOnce();
  map.panBy([20, 0], { animate: false });
  release();
  expect(made.map(positionsOf)).toEqual([[[expect.closeTo(127 + (10 * 360) / 2 ** 27, 6), expect.closeTo(37.5, 6)], [127.0001, 37.5]]]); // prettier-ignore
  map.setView([38.5, 127], 19, { animate: false });
  expect(handles('corner')).toHaveLength(0);
});

it('lays down a corner that is dragged when someone else changes the shape, whose change it would overwrite', () => {
  const editing = edit({ type: 'LineString', coordinates: [[127, 37.5], [127.0001, 37.5]] }); // prettier-ignore
  press(handles('corner')[0], 10);
  editing.setGeometry({ type: 'LineString', coordinates: [[127, 37.5], [127.0002, 37.5]] }); // prettier-ignore
  release();
  expect(made).toEqual([]);
  expect(handles('corner').map((one) => one.getLatLng().lng)).toEqual([127, 127.0002]);
  map.setView([38.5, 127], 19, { animate: false });
  expect(handles('corner')).toHaveLength(0);
});

/** A boundary of so many corners, about 200 km across, one of them in the middle of the map. */
function boundary(corners: number): Geometry {
  const ring = Array.from({ length: corners }, (_, at) => {
    const turn = (2 * Math.PI * at) / corners;
    return [126 + Math.cos(turn), 37.5 + Math.sin(turn)];
  });
  return { type: 'Polygon', coordinates: [[...ring, ring[0] ?? []]] };
}

it('has handles on the corners in view of a boundary of forty thousand', () => {
  edit(boundary(40_000));
  const [corner, ...others] = handles('corner');
  expect(corner?.getLatLng()).toMatchObject({ lat: 37.5, lng: 127 });
  expect(others.length).toBeLessThan(20);
  map.setView([38.5, 126], 19, { animate: false });
  const lngs = handles('corner').map((one) => one.getLatLng().lng.toFixed(4));
  expect(lngs).toContain('126.0000');
});

it('has none where too many are in view, and says so each time, until one comes nearer', () => {
  map.setView([37.5, 126], 7, { animate: false });
  edit(boundary(40_000));
  map.panBy([20, 0], { animate: false });
  expect([crowded, handles('corner').length]).toEqual([1, 0]);
  map.setView([37.5, 127], 19, { animate: false });
  expect([crowded, handles('corner').length > 0]).toEqual([1, true]);
  map.setView([37.5, 126], 7, { animate: false });
  expect([crowded, handles('corner').length]).toEqual([2, 0]);
});
