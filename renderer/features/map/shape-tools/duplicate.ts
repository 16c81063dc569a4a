import { mdiViewGridPlusOutline } from '@mdi/js';
import { Plane } from '../../../map/topology/plane.ts';
import { gridOffsets, moved } from '../../../map/topology/transform.ts';
import { axisOf, geometriesOf } from './geometries.ts';
import { copyOf, idsOf, type ShapeTool } from './shape-tool.ts';

const most = { count: 200, copies: 2_000, gap_m: 10_000 };
const counts = { kind: 'whole', unit: '', least: 1, most: most.count } as const;
const gaps = { kind: 'number', unit: 'm', least: -most.gap_m, most: most.gap_m, start: 2 } as const;

/** A device has only one place. */
const copied = (shapes: Parameters<ShapeTool['fits']>[0]) =>
  shapes.filter(({ properties }) => properties.type !== 'device');

export const duplicate: ShapeTool = {
  title: 'map.shape.duplicate.title',
  hint: 'map.shape.duplicate.hint',
  icon: mdiViewGridPlusOutline,
  shortcut: 'A',
  fits: (shapes) => copied(shapes).length > 0,
  fields: [
    { key: 'across', label: 'map.shape.duplicate.across', ...counts, start: 2 },
    { key: 'gap_across_m', label: 'map.shape.duplicate.gapAcross', ...gaps },
    { key: 'along', label: 'map.shape.duplicate.along', ...counts, start: 1 },
    { key: 'gap_along_m', label: 'map.shape.duplicate.gapAlong', ...gaps },
    {
      key: 'axis_deg',
      label: 'map.shape.duplicate.axis',
      kind: 'number',
      unit: 'deg',
      least: -360,
      most: 360,
      start: axisOf,
    },
  ],
  run({ shapes, values, newId, nextName }) {
    const { across = 1, along = 1, gap_across_m = 0, gap_along_m = 0, axis_deg = 0 } = values;
    const originals = copied(shapes);
    if (across * along * originals.length > most.copies) return { fault: 'tooMany' };
    const plane = Plane.around(geometriesOf(originals));
    const grid = { across, along, gap_across_m, gap_along_m, axis_deg };
    const put = gridOffsets(geometriesOf(originals), grid, plane).flatMap((by) =>
      originals.map((one) =>
        copyOf(one, {
          geometry: moved(one.geometry, by, plane),
          name: nextName(one.properties.name),
          unique_id: newId(),
        }),
      ),
    );
    return { edit: { put, remove: [] }, select: [...idsOf(originals), ...idsOf(put)], isSpread: true };
  },
};
