import { mdiResize } from '@mdi/js';
import { scaled } from '../../../map/topology/transform.ts';
import { aboutMiddle, axisOf } from './geometries.ts';
import { reshapedAll, type ShapeTool } from './shape-tool.ts';

const range = { least: 1, most: 10_000 };

export const scale: ShapeTool = {
  title: 'map.shape.scale.title',
  hint: 'map.shape.scale.hint',
  icon: mdiResize,
  shortcut: 'X',
  fits: (shapes) => shapes.length > 1 || shapes.some(({ geometry }) => geometry.type !== 'Point'),
  fields: [
    { key: 'along_pct', label: 'map.shape.scale.along', kind: 'number', unit: '%', ...range, start: 100 },
    { key: 'across_pct', label: 'map.shape.scale.across', kind: 'number', unit: '%', ...range, start: 100 },
  ],
  drag(shapes, from, to) {
    const { plane, pivot } = aboutMiddle(shapes);
    const [start, end] = [plane.point(from), plane.point(to)].map(({ x, y }) => Math.hypot(x - pivot.x, y - pivot.y));
    const share = start === undefined || end === undefined || start < 0.01 ? 100 : (end / start) * 100;
    const pct = Math.min(range.most, Math.max(range.least, share));
    return { along_pct: pct, across_pct: pct };
  },
  run({ shapes, values: { along_pct = 100, across_pct = 100 } }) {
    const size = { along: along_pct / 100, across: across_pct / 100, axis_deg: axisOf(shapes) };
    const about = aboutMiddle(shapes);
    return reshapedAll(shapes, (geometry) => scaled(geometry, size, about));
  },
};
