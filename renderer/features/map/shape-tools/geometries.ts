import type { Feature, Geometry } from '../../../../server/contract/overlay.ts';
import { smallestRectangle } from '../../../../server/domain/geometry/smallest-rectangle.ts';
import { Plane } from '../../../map/topology/plane.ts';
import { middleOf, type About } from '../../../map/topology/transform.ts';

export function geometriesOf(shapes: readonly Feature[]): Geometry[] {
  return shapes.map(({ geometry }) => geometry);
}

/** The centre of the selection, about which it rotates and scales. */
export function aboutMiddle(shapes: readonly Feature[]): About {
  const geometries = geometriesOf(shapes);
  const plane = Plane.around(geometries);
  return { plane, pivot: middleOf(geometries, plane) };
}

/** Direction of the longer side of the first area, degrees clockwise from north; 0 where there is none. */
export function axisOf(shapes: readonly Feature[]): number {
  for (const { geometry } of shapes) {
    const box = smallestRectangle(geometry);
    if (box !== null) return Number(box.axis_deg.toFixed(2));
  }
  return 0;
}
