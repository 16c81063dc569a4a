import { L } from './leaflet.ts';
import type { MapBox } from './outside-layer.ts';

/** So many px from each edge of the map lie under something. */
export interface Covered {
  top?: number;
  right?: number;
  bottom?: number;
}

const margin_px = 40;

/** The visible area, within one world. */
export function boxShown(map: L.Map): MapBox {
  const bounds = map.getBounds();
  const within = (degrees: number, most: number): number => Math.max(-most, Math.min(most, degrees));
  return [
    within(bounds.getWest(), 180),
    within(bounds.getSouth(), 90),
    within(bounds.getEast(), 180),
    within(bounds.getNorth(), 90),
  ];
}

/** How far a span has to move to lie between two edges, px; one that is too long for them comes to their middle. */
function wayIn([from, to]: [number, number], [first, last]: [number, number]): number {
  if (to - from > last - first) return (from + to - first - last) / 2;
  return Math.min(0, from - first) + Math.max(0, to - last);
}

/** Moves the map, without zooming, so that an area lies in the part of it that nothing lies over. */
export function panClear(map: L.Map, bounds: L.LatLngBounds, { top = 0, right = 0, bottom = 0 }: Covered): void {
  const { x, y } = map.getSize();
  const upper = map.latLngToContainerPoint(bounds.getNorthWest());
  const lower = map.latLngToContainerPoint(bounds.getSouthEast());
  const across = wayIn([upper.x, lower.x], [margin_px, x - right - margin_px]);
  const down = wayIn([upper.y, lower.y], [top + margin_px, y - bottom - margin_px]);
  map.panBy([across, down]);
}

/** Brings all positions into view if one is not. */
export function fitClear(
  map: L.Map,
  positions: readonly (readonly number[])[],
  { top = 0, right = 0, bottom = 0 }: Covered,
): void {
  const [first, ...others] = positions.map(([lng = 0, lat = 0]) => L.latLng(lat, lng));
  if (first === undefined) return;
  const bounds = others.reduce((all, one) => all.extend(one), L.latLngBounds(first, first));
  const { x, y } = map.getSize();
  const seen = [L.point(0, y - bottom), L.point(x - right, top)].map((one) => map.containerPointToLatLng(one));
  if (L.latLngBounds(seen).contains(bounds)) return;
  map.fitBounds(bounds, {
    maxZoom: 19,
    paddingTopLeft: [margin_px, top + margin_px],
    paddingBottomRight: [right + margin_px, bottom + margin_px],
  });
}

/** Keeps a popup in view while the page fills it and opens the form beside the map, until either is used. */
export function keepClear(map: L.Map, popup: L.Popup, content: HTMLElement): void {
  const resizes = new ResizeObserver(() => {
    const place = popup.getLatLng();
    if (place !== undefined && popup.isOpen()) popup.setLatLng(place);
  });
  resizes.observe(content);
  resizes.observe(map.getContainer());
  const end = (): void => resizes.disconnect();
  for (const use of ['pointerdown', 'keydown']) content.addEventListener(use, end, { once: true, capture: true });
  map.once('dragstart', end);
  popup.once('remove', end);
}

/** Along the middle of the view. */
export function metresPerPixel(map: L.Map): number {
  const y = map.getSize().y / 2;
  return map.distance(map.containerPointToLatLng([0, y]), map.containerPointToLatLng([100, y])) / 100;
}
