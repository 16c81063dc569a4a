import { mdiCursorMove } from '@mdi/js';
import { geometriesOf } from './geometries.ts';
import { Plane } from '../../../map/topology/plane.ts';
import { moved } from '../../../map/topology/transform.ts';
import { reshapedAll, type ShapeTool } from './shape-tool.ts';

const far_m = 100_000;

export const move: ShapeTool = {
  title: 'map.shape.move.title',
  hint: 'map.shape.move.hint',
  icon: mdiCursorMove,
  shortcut: 'G',
  fits: (shapes) => shapes.length > 0,
  fields: [
    { key: 'east_m', label: 'map.shape.move.east', kind: 'number', unit: 'm', least: -far_m, most: far_m, start: 0 },
    { key: 'north_m', label: 'map.shape.move.north', kind: 'number', unit: 'm', least: -far_m, most: far_m, start: 0 },
  ],
  drag(shapes, from, to) {
    const plane = Plane.around(geometriesOf(shapes));
    const [start, end] = [plane.point(from), plane.point(to)];
    return { east_m: end.x - start.x, north_m: end.y - start.y };
  },
  run({ shapes, values: { east_m = 0, north_m = 0 } }) {
    const plane = Plane.around(geometriesOf(shapes));
    return reshapedAll(shapes, (geometry) => moved(geometry, { x: east_m, y: north_m }, plane));
  },
};
