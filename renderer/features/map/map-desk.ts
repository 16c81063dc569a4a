import { computed, reactive, shallowRef } from 'vue';
import type { Device } from '../../../server/contract/device.ts';
import type { FeatureType } from '../../../server/contract/overlay.ts';
import type { Position } from '../../map/geometry.ts';
import type { SiteMap } from '../../map/site-map.ts';
import type { ShapeAction } from './shape-tools/list.ts';
import type { Tool } from './tools.ts';

/** What each kind of shape becomes at first. */
export const firstTypes = { outline: 'site', line: 'pipe', point: 'label' } as const satisfies Record<
  string,
  FeatureType
>;
export type DrawnKind = keyof typeof firstTypes;

export type MapDesk = ReturnType<typeof mapDesk>;

/** What the tools and the page look at together: the map, the tool in the hand and what lies under it. */
export function mapDesk() {
  /** Ids of what is selected, in the order in which it was. */
  const selection = shallowRef<readonly string[]>([]);
  return {
    selection,
    /** The one that is selected; null while none or several are. */
    selected: computed(() => (selection.value.length === 1 ? (selection.value[0] ?? null) : null)),
    /** A click adds to what is selected, as with a finger there is no key to hold. */
    isPicking: shallowRef(false),
    /** The map shows only what is found in the list of shapes. */
    isFiltering: shallowRef(false),
    map: shallowRef<SiteMap | null>(null),
    tool: shallowRef<Tool>('select'),
    /** What is done to the selection while the tool is `shape`. */
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
