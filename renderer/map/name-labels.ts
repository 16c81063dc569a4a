import type { Feature, FeatureType } from '../../server/contract/overlay.ts';
import { idOf } from './edit-buffer.ts';
import type { DrawnPoint, FeatureLayers, NamedOutline } from './feature-layers.ts';
import { LabelRoom } from './label-room.ts';
import { L } from './leaflet.ts';
import { TextMetrics } from './text-metrics.ts';

const mostOutlines = 1_000;
const mostLabels = 150;
const labelMinZoom = 15;
const labelPane = 'labels';
/** Letters of `.map-label`, `.map-text` and `.map-point__value`. */
const letters_rem = { outline: 0.8, text: 0.9, value: 0.76 };
/** Between a place and its name, as `.map-label` has it, px. */
const gap_px = 6;
/** Half of a mark, and how far from its middle the value beside it begins and what it has about it, px. */
const mark_px = { half: 15, value: 19, about: 14 };

/** Whose name wins when two have no room. */
const importance: readonly FeatureType[] = ['facility', 'site', 'zone', 'equipment', 'infrastructure', 'bay'];

/**
 * Names of the outlines in view, and texts on the map, as far as they have room beside one another and the marks of
 * devices.
 */
export class NameLabels {
  readonly #map: L.Map;
  readonly #features: FeatureLayers;
  readonly #labels: L.LayerGroup;
  /** By place and name: unchanged labels are not redrawn, which would flicker. */
  #drawn = new Map<string, L.Marker>();
  #houseNames: ReadonlyMap<string, string> = new Map();

  constructor(map: L.Map, features: FeatureLayers) {
    this.#map = map;
    this.#features = features;
    // Names lie above the outlines and beneath the marks of devices.
    map.createPane(labelPane).classList.add('map-labels');
    this.#labels = L.layerGroup().addTo(map);
  }

  /** Names of houses, by the shape that each stands on. */
  setHouseNames(names: ReadonlyMap<string, string>): void {
    this.#houseNames = names;
    this.refresh();
  }

  /** The name of its house, else its own. */
  readonly nameOf = (feature: Feature): string => this.#houseNames.get(idOf(feature)) ?? feature.properties.name;

  refresh(): void {
    const room = new LabelRoom();
    const metrics = new TextMetrics(this.#map.getContainer());
    this.#makeRoomForMarks(room, metrics);
    const former = this.#drawn;
    this.#drawn = new Map();
    for (const { feature, name, bounds } of this.#wanted()) {
      const { type } = feature.properties;
      const isWide = type === 'site' || type === 'zone';
      const place = isWide ? bounds.getNorthWest() : L.latLng(bounds.getNorth(), bounds.getCenter().lng);
      const key = JSON.stringify([isWide, place, name]);
      const { x, y } = this.#map.latLngToLayerPoint(place);
      const box = isWide
        ? metrics.boxBeside({ x: x + gap_px, y }, name, letters_rem.outline)
        : metrics.boxBelow({ x, y: y + gap_px }, name, letters_rem.outline);
      if (this.#drawn.has(key) || !room.takeFree(box)) continue;
      this.#drawn.set(key, (former.get(key) ?? labelAt(place, name, isWide)).addTo(this.#labels));
      former.delete(key);
      if (this.#drawn.size === mostLabels) break;
    }
    for (const label of former.values()) this.#labels.removeLayer(label);
  }

  /** The outlines whose names are useful at this scale, most important first, in stable order. */
  #wanted(): NamedOutline[] {
    const named = this.#map.getZoom() < labelMinZoom ? [] : this.#features.named(mostOutlines, this.nameOf);
    if (named.length > mostOutlines) return [];
    return named
      .map((one) => ({ one, rank: rankOf(one), size: sizeOf(one) }))
      .sort((a, b) => a.rank - b.rank || b.size - a.size || idOf(a.one.feature).localeCompare(idOf(b.one.feature)))
      .map(({ one }) => one);
  }

  /** Marks and the selection keep their place; a text without room becomes a dot, by which it can still be found. */
  #makeRoomForMarks(room: LabelRoom, metrics: TextMetrics): void {
    const [texts, marks] = partition(this.#features.points());
    for (const { place, value } of marks) {
      const { x, y } = this.#map.latLngToLayerPoint(place);
      const { half, about } = mark_px;
      const right = value === '' ? x + half : x + mark_px.value + metrics.widthOf(value, letters_rem.value) + about;
      room.take({ left: x - half, top: y - half, right, bottom: y + half });
    }
    for (const { feature, place, element, isSelected } of texts) {
      const box = metrics.boxBeside(this.#map.latLngToLayerPoint(place), feature.properties.name, letters_rem.text);
      if (isSelected) room.take(box);
      element?.classList.toggle('is-crowded', !isSelected && !room.takeFree(box));
    }
  }
}

/** Texts, the selected ones first, and marks. */
function partition(points: DrawnPoint[]): [texts: DrawnPoint[], marks: DrawnPoint[]] {
  const isText = ({ feature }: DrawnPoint): boolean => feature.properties.type === 'label';
  const texts = points.filter(isText).sort((a, b) => Number(b.isSelected) - Number(a.isSelected));
  return [texts, points.filter((one) => !isText(one))];
}

function rankOf({ feature, isSelected, hasAlarm }: NamedOutline): number {
  if (isSelected) return -2;
  if (hasAlarm) return -1;
  const rank = importance.indexOf(feature.properties.type);
  return rank === -1 ? importance.length : rank;
}

/** For comparing only: degrees of longitude by degrees of latitude. */
function sizeOf({ bounds }: NamedOutline): number {
  return (bounds.getEast() - bounds.getWest()) * (bounds.getNorth() - bounds.getSouth());
}

/**
 * Placed by the style sheet: Leaflet's tooltips are measured one by one, and each makes the browser lay out the page
 * again.
 */
function labelAt(place: L.LatLng, name: string, isWide: boolean): L.Marker {
  const html = document.createElement('div');
  html.className = `map-label ${isWide ? 'map-label--wide' : ''}`;
  html.textContent = name; // what people typed is text, never markup
  const icon = L.divIcon({ html, className: 'map-name', iconSize: [0, 0] });
  return L.marker(place, { icon, pane: labelPane, interactive: false, keyboard: false });
}
