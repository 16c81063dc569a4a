import { mdiVectorDifference } from '@mdi/js';
import { idsOf, isArea, type ShapeTool, type ToolFault } from './shape-tool.ts';

export const hole: ShapeTool = {
  title: 'map.shape.hole.title',
  hint: 'map.shape.hole.hint',
  icon: mdiVectorDifference,
  shortcut: 'B',
  fits: (shapes) => shapes.some(isArea),
  fields: [],
  draws: 'polygon',
  async run({ shapes, drawn }) {
    const overlay = await import('../../../map/topology/overlay.ts');
    const faults: ToolFault[] = [];
    const put = shapes.filter(isArea).flatMap((shape) => {
      const geometry = drawn === undefined ? 'outside' : overlay.cutOut(shape.geometry, drawn);
      if (typeof geometry !== 'string') return [{ ...shape, geometry }];
      faults.push(geometry);
      return [];
    });
    // Beside one shape is no fault where another was cut; one of which nothing is left is to be deleted, and not by the way.
    const fault = faults.find((one) => one !== 'outside') ?? (put.length === 0 ? 'outside' : undefined);
    return fault === undefined ? { edit: { put, remove: [] }, select: idsOf(shapes) } : { fault };
  },
};
