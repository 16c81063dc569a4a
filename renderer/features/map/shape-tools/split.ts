import { mdiContentCut } from '@mdi/js';
import { copyOf, idsOf, isArea, type ShapeTool, type ToolFault } from './shape-tool.ts';

/** The largest piece stays the shape that it was, with its house and the areas that the line does not cut. */
export const split: ShapeTool = {
  title: 'map.shape.split.title',
  hint: 'map.shape.split.hint',
  icon: mdiContentCut,
  shortcut: 'S',
  fits: (shapes) => shapes.some(isArea),
  fields: [],
  draws: 'line',
  async run({ shapes, drawn, newId, nextName }) {
    const overlay = await import('../../../map/topology/overlay.ts');
    const line = drawn?.type === 'LineString' ? drawn.coordinates : [];
    const faults: ToolFault[] = [];
    const put = shapes.filter(isArea).flatMap((shape) => {
      const parts = overlay.split(shape.geometry, line);
      if (typeof parts === 'string') {
        faults.push(parts);
        return [];
      }
      return parts.map((geometry, at) => {
        if (at === 0) return { ...shape, geometry };
        const name = nextName(shape.properties.name);
        return copyOf(shape, { geometry, name, unique_id: newId() });
      });
    });
    if (put.length === 0) return { fault: faults.find((one) => one !== 'noCrossing') ?? 'noCrossing' };
    return { edit: { put, remove: [] }, select: idsOf(put) };
  },
};
