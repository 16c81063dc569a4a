import { mdiRotateRight } from '@mdi/js';
import { bearing, rotated } from '../../../map/topology/transform.ts';
import { aboutMiddle } from './geometries.ts';
import { reshapedAll, type ShapeTool } from './shape-tool.ts';

export const rotate: ShapeTool = {
  title: 'map.shape.rotate.title',
  hint: 'map.shape.rotate.hint',
  icon: mdiRotateRight,
  shortcut: 'O',
  fits: (shapes) => shapes.length > 1 || shapes.some(({ geometry }) => geometry.type !== 'Point'),
  fields: [
    {
      key: 'angle_deg',
      label: 'map.shape.rotate.angle',
      kind: 'number',
      unit: 'deg',
      least: -360,
      most: 360,
      start: 0,
    },
  ],
  drag(shapes, from, to) {
    const { plane, pivot } = aboutMiddle(shapes);
    const turn = bearing(pivot, plane.point(to)) - bearing(pivot, plane.point(from));
    return { angle_deg: turn > 180 ? turn - 360 : turn < -180 ? turn + 360 : turn };
  },
  run({ shapes, values: { angle_deg = 0 } }) {
    const about = aboutMiddle(shapes);
    return reshapedAll(shapes, (geometry) => rotated(geometry, angle_deg, about));
  },
};
