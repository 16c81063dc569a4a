import { duplicate } from './duplicate.ts';
import { hole } from './hole.ts';
import { merge } from './merge.ts';
import { move } from './move.ts';
import { offset } from './offset.ts';
import { rotate } from './rotate.ts';
import { scale } from './scale.ts';
import type { ShapeTool } from './shape-tool.ts';
import { split } from './split.ts';

/** In the order of the bar. To add a tool: a file here and a line in this list; its texts are in `map.shape`. */
const shapeTools = { move, rotate, scale, duplicate, split, merge, hole, offset } satisfies Record<string, ShapeTool>;

export type ShapeAction = keyof typeof shapeTools;

export const shapeActions = Object.keys(shapeTools) as ShapeAction[]; // the keys of the line above

export function shapeTool(action: ShapeAction): ShapeTool {
  return shapeTools[action];
}

export function isShapeAction(action: string): action is ShapeAction {
  return Object.hasOwn(shapeTools, action);
}
