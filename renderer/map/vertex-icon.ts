import { L } from './leaflet.ts';

/** What a mouse hits, and a finger, px. */
const target_px = { mouse: 24, finger: 44 };

/** The side of a handle as it is hit: its mark is smaller. */
export function handleSize_px(): number {
  const isTouch = document.documentElement.dataset['density'] === 'touch' || matchMedia('(pointer: coarse)').matches;
  return isTouch ? target_px.finger : target_px.mouse;
}

/** A handle: a corner, the middle of a side, a corner of what is being drawn, or a place. */
export function vertexIcon(kind: 'corner' | 'middle' | 'drawn' | 'place'): L.DivIcon {
  const size = handleSize_px();
  return L.divIcon({ className: `map-vertex map-vertex--${kind}`, iconSize: [size, size] });
}
