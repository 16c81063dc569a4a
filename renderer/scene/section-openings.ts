import type { Face, Opening } from '../../server/contract/facility.ts';
import { baysOf, fieldsOf, lineLength, type Outline } from './bays.ts';
import { placeOpenings } from './openings.ts';
import { pointAlong, type Section, type SectionPoint } from './section.ts';

/** An opening in the cross-section: a line along its wall or roof, or the outline of one in an end wall. */
export interface DrawnOpening {
  id: string;
  line: SectionPoint[];
  isEnd: boolean;
}

/** Enough for the bend of an arch. */
const lineSteps = 8;

/** The openings of a house in the bays that its cross-section shows, where the model in 3D has them. */
export function openingsInSection(outline: Outline, section: Section, given: readonly Opening[]): DrawnOpening[] {
  const bays = baysOf(outline);
  const withField = (face: Face) =>
    bays.filter((bay) => (face === 'left' ? bay.hasLeftWall : face === 'right' ? bay.hasRightWall : true));
  return placeOpenings(outline, given, []).flatMap(({ opening, cuts }) =>
    cuts.flatMap(({ face, field: at, top_m, foot_m, from_m, to_m }): DrawnOpening[] => {
      const [field, bay] = [fieldsOf(face, outline)[at], withField(face)[at]];
      const drawn = section.bays.find(({ number }) => bay !== undefined && number === bays.indexOf(bay) + 1);
      if (field === undefined || bay === undefined || drawn === undefined) return [];
      const [x, y] = field.from;
      const from = { x: x - bay.left_m + drawn.left_m, y };
      if (face === 'front' || face === 'back') {
        const [left, right, top, foot] = [from.x + from_m, from.x + to_m, from.y - top_m, from.y - foot_m];
        const line = [
          { x: left, y: foot },
          { x: left, y: top },
          { x: right, y: top },
          { x: right, y: foot },
          { x: left, y: foot },
        ];
        return [{ id: opening.id, line, isEnd: true }];
      }
      const long_m = lineLength(field.line);
      const line = Array.from({ length: lineSteps + 1 }, (_, step) => {
        const way = pointAlong(field.line, (top_m + ((foot_m - top_m) * step) / lineSteps) / long_m);
        return { x: from.x + way.x, y: from.y + way.y };
      });
      return [{ id: opening.id, line, isEnd: false }];
    }),
  );
}
