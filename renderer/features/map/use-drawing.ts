import { computed } from 'vue';
import { cornerTools } from '../../map/drawing-port.ts';
import type { MapDesk } from './map-desk.ts';
import { shapeTool } from './shape-tools/list.ts';

/** What the tool in use draws. */
export function useDrawing({ map, tool, positions, shapeAction }: MapDesk) {
  /** What the tool for the selection draws; undefined for the others. */
  const shapeDraws = computed(() => (shapeAction.value === null ? undefined : shapeTool(shapeAction.value).draws));
  return {
    drawTool: computed(() => (tool.value === 'select' || tool.value === 'shape' ? null : tool.value)),
    shapeDraws,
    /** Corners that are set; the rest of the drawing follows the pointer. */
    corners: computed(() => (positions.value.length === 0 ? [] : (map.value?.hand.corners ?? []))),
    hasCorners: computed(() => cornerTools.some((one) => one === tool.value || one === shapeDraws.value)),
  };
}
