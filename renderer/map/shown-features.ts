import type { Feature, FeatureType } from '../../server/contract/overlay.ts';
import { idOf } from './edit-buffer.ts';
import { boxOf, holds, meets, nowhere, widen, type GeoBox } from './geo-box.ts';
import { typeLayersOf, type TypeLayer } from './layer-settings.ts';
import type { HouseAlarm, OutlineState } from './look.ts';
import { isHit } from './shapes/hit.ts';

/** A feature with what is worked out once for it. */
export interface Shown {
  readonly feature: Feature;
  /** Its number on the canvas, which it keeps when it changes. */
  readonly key: number;
  readonly box: GeoBox;
}

/** The features of the map, and which of them are visible: by layer, filter, selection and alarm. */
export class ShownFeatures {
  readonly #all = new Map<string, Shown>();
  #lastKey = 0;
  #selected: ReadonlySet<string> = new Set();
  #alarms: ReadonlyMap<string, HouseAlarm> = new Map();
  #layers = rankedLayers(typeLayersOf());
  #only: ReadonlySet<string> | null = null;
  /** Ids of shapes drawn since the filter was set, which must not vanish at once. */
  readonly #kept = new Set<string>();

  /** Adds a feature or replaces the one with its id. */
  put(feature: Feature): Shown {
    const id = idOf(feature);
    const key = this.#all.get(id)?.key ?? (this.#lastKey += 1);
    const shown = { feature, key, box: boxOf(feature) };
    this.#all.set(id, shown);
    return shown;
  }

  remove(id: string): void {
    this.#all.delete(id);
  }

  clear(): void {
    this.#all.clear();
  }

  get(id: string): Shown | undefined {
    return this.#all.get(id);
  }

  all(): Iterable<Shown> {
    return this.#all.values();
  }

  /** Returns the ids that were selected or released. */
  select(ids: readonly string[]): string[] {
    const before = this.#selected;
    this.#selected = new Set(ids);
    return [...new Set([...before, ...ids])].filter((id) => before.has(id) !== this.#selected.has(id));
  }

  /** The worst alarm of each house, by the id of its shape. Returns the ids whose look may have changed. */
  setAlarms(alarms: ReadonlyMap<string, HouseAlarm>): Set<string> {
    const changed = new Set([...this.#alarms.keys(), ...alarms.keys()]);
    this.#alarms = alarms;
    return changed;
  }

  /** From the lowest to the highest. */
  setLayers(layers: readonly TypeLayer[]): void {
    this.#layers = rankedLayers(layers);
    this.#kept.clear();
  }

  /** Filters by ids; null ends the filter. Returns false when nothing changes. */
  showOnly(ids: ReadonlySet<string> | null): boolean {
    if (ids === null && this.#only === null) return false;
    this.#only = ids;
    if (ids === null) this.#kept.clear();
    return true;
  }

  /** Keeps this one visible until the layers change or the filter ends. */
  keepShown(id: string): void {
    this.#kept.add(id);
  }

  isSelected({ feature }: Shown): boolean {
    return this.#selected.has(idOf(feature));
  }

  isVisible(shown: Shown): boolean {
    if (this.isSelected(shown) || this.#kept.has(idOf(shown.feature))) return true;
    const layer = this.#layers.get(shown.feature.properties.type);
    if (layer?.isVisible !== true || layer.opacity === 0) return false;
    return this.#only?.has(idOf(shown.feature)) ?? true;
  }

  opacityOf(type: FeatureType): number {
    return this.#layers.get(type)?.opacity ?? 1;
  }

  /** Higher lies above. */
  rankOf({ feature }: Shown): number {
    return this.#layers.get(feature.properties.type)?.rank ?? 0;
  }

  stateOf(shown: Shown): Required<OutlineState> {
    const { feature } = shown;
    return {
      isSelected: this.isSelected(shown),
      alarm: this.#alarms.get(idOf(feature)),
      opacity: this.opacityOf(feature.properties.type),
    };
  }

  /** Visible features that meet a box. */
  *meeting(box: GeoBox): Generator<Shown> {
    for (const one of this.#all.values()) if (meets(one.box, box) && this.isVisible(one)) yield one;
  }

  /** The uppermost outline or line at a place; `scale` is the width of the world, px. */
  at(place: { lng: number; lat: number }, near: { scale: number; reach_px: number }): string | null {
    const { lng, lat } = place;
    const reach_deg = (360 / near.scale) * near.reach_px;
    const box = { west: lng - reach_deg, east: lng + reach_deg, south: lat - reach_deg, north: lat + reach_deg };
    let found: Shown | null = null;
    for (const one of this.meeting(box)) {
      if (found !== null && this.rankOf(one) < this.rankOf(found)) continue;
      if (isHit(one.feature.geometry, place, near)) found = one;
    }
    return found === null ? null : idOf(found.feature);
  }

  /** The extent of all visible features; null for none. */
  extent(): GeoBox | null {
    const extent = nowhere();
    for (const one of this.#all.values()) if (this.isVisible(one)) widen(extent, one.box);
    return extent.west <= extent.east ? extent : null;
  }

  /** Ids of all visible features. */
  idsVisible(): string[] {
    return [...this.#all.values()].filter((one) => this.isVisible(one)).map(({ feature }) => idOf(feature));
  }

  /** Ids of visible features that lie wholly within a box. */
  idsWithin(box: GeoBox): string[] {
    return [...this.meeting(box)].filter((one) => holds(box, one.box)).map(({ feature }) => idOf(feature));
  }
}

function rankedLayers(layers: readonly TypeLayer[]): Map<FeatureType, TypeLayer & { rank: number }> {
  return new Map(layers.map((layer, rank) => [layer.type, { ...layer, rank }]));
}
