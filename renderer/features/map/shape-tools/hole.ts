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
    // Missing one shape is no fault if another was cut; a shape of which nothing remains must be deleted explicitly.
    const fault = faults.find((one) => one !== 'outside') ?? (put.length === 0 ? 'outside' : undefined);
    return fault === undefined ? { edit: { put, remove: [] }, select: idsOf(shapes) } : { fault };
  },
};
