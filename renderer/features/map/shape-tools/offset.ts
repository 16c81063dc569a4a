import { mdiArrowExpandAll } from '@mdi/js';
import type { Feature } from '../../../../server/contract/overlay.ts';
import { idsOf, copyOf, isArea, type ShapeTool } from './shape-tool.ts';

const isLine = ({ geometry }: Feature): boolean => geometry.type.endsWith('LineString');

/** An outline further out or in; of a line the strip beside it, which is an area of its own. */
export const offset: ShapeTool = {
  title: 'map.shape.offset.title',
  hint: 'map.shape.offset.hint',
  icon: mdiArrowExpandAll,
  shortcut: 'W',
  fits: (shapes) => shapes.length > 0 && shapes.every((shape) => isArea(shape) || isLine(shape)),
  fields: [
    {
      key: 'distance_m',
      label: 'map.shape.offset.distance',
      kind: 'number',
      unit: 'm',
      least: -1_000,
      most: 1_000,
      start: 1,
    },
    { key: 'asCopy', label: 'map.shape.offset.asCopy', kind: 'switch', unit: '', least: 0, most: 1, start: 1 },
  ],
  async run({ shapes, values: { distance_m = 0, asCopy = 1 }, newId, nextName }) {
    const overlay = await import('../../../map/topology/overlay.ts');
    const put: Feature[] = [];
    for (const shape of shapes) {
      const geometry = overlay.offset(shape.geometry, distance_m);
      if (typeof geometry === 'string') return { fault: geometry };
      if (asCopy === 0 && !isLine(shape)) put.push({ ...shape, geometry });
      else {
        const name = nextName(shape.properties.name);
        const copy = copyOf(shape, { geometry, name, unique_id: newId() });
        // A pipe or a connection is no area.
        put.push(isLine(shape) ? { ...copy, properties: { ...copy.properties, type: 'reference' } } : copy);
      }
    }
    return { edit: { put, remove: [] }, select: idsOf(put) };
  },
};
