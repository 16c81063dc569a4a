import { computed, reactive, shallowRef } from 'vue';
import type { Device } from '../../../server/contract/device.ts';
import type { FeatureType } from '../../../server/contract/overlay.ts';
import type { Position } from '../../map/geometry.ts';
import type { SiteMap } from '../../map/site-map.ts';
import type { ShapeAction } from './shape-tools/list.ts';
import type { Tool } from './tools.ts';

/** Default type of each kind of shape. */
export const firstTypes = { outline: 'site', line: 'pipe', point: 'label' } as const satisfies Record<
  string,
  FeatureType
>;
export type DrawnKind = keyof typeof firstTypes;

export type MapDesk = ReturnType<typeof mapDesk>;

/** State shared by the tools and the page: the map, the active tool and what is under it. */
export function mapDesk() {
  /** Ids of the selection, in the order of selecting. */
  const selection = shallowRef<readonly string[]>([]);
  return {
    selection,
    /** The one that is selected; null while none or several are. */
    selected: computed(() => (selection.value.length === 1 ? (selection.value[0] ?? null) : null)),
    /** A click adds to the selection, as touch has no modifier key. */
    isPicking: shallowRef(false),
    /** The map shows only the matches of the shape list. */
    isFiltering: shallowRef(false),
    map: shallowRef<SiteMap | null>(null),
    tool: shallowRef<Tool>('select'),
    /** The operation on the selection while the tool is `shape`. */
    shapeAction: shallowRef<ShapeAction | null>(null),
    positions: shallowRef<Position[]>([]),
    pointer: shallowRef<{ lat: number; lng: number } | null>(null),
    grid_m: shallowRef<number | null>(null),
    popup: shallowRef<{ id: string; element: HTMLElement } | null>(null),
    placing: shallowRef<Device | null>(null),
    isTouch: shallowRef(matchMedia('(pointer: coarse)').matches),
    isHelpOpen: shallowRef(false),
    types: reactive<Record<DrawnKind, FeatureType>>({ ...firstTypes }),
  };
}
