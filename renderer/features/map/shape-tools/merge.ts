import { mdiVectorUnion } from '@mdi/js';
import { sizeOf } from '../../../map/geodesy.ts';
import { geometriesOf } from './geometries.ts';
import { idsOf, isArea, type ShapeTool } from './shape-tool.ts';

/** The shape that holds a house stays, else the largest. */
export const merge: ShapeTool = {
  title: 'map.shape.merge.title',
  hint: 'map.shape.merge.hint',
  icon: mdiVectorUnion,
  shortcut: 'J',
  fits: (shapes) => shapes.length > 1 && shapes.every(isArea),
  fields: [
    { key: 'mayStayApart', label: 'map.shape.merge.apart', kind: 'switch', unit: '', least: 0, most: 1, start: 0 },
  ],
  async run({ shapes, values, holdsHouse }) {
    const houses = shapes.filter(({ properties }) => holdsHouse(properties.unique_id));
    if (houses.length > 1) return { fault: 'twoHouses' };
    const overlay = await import('../../../map/topology/overlay.ts');
    const geometry = overlay.merge(geometriesOf(shapes), { mayStayApart: values['mayStayApart'] === 1 });
    if (typeof geometry === 'string') return { fault: geometry };
    const area = (at: number): number => sizeOf(shapes[at]?.geometry ?? geometry).area_m2 ?? 0;
    const largest = shapes.reduce((best, _shape, at) => (area(at) > area(best) ? at : best), 0);
    const kept = houses[0] ?? shapes[largest];
    if (kept === undefined) return { fault: 'nothingLeft' };
    const remove = idsOf(shapes.filter((one) => one !== kept));
    return { edit: { put: [{ ...kept, geometry }], remove }, select: idsOf([kept]) };
  },
};
