import type { Rectangle } from '../../../server/domain/geometry/smallest-rectangle.ts';

/** Usual bay width, m: a drawn width is divided into bays of about this. */
const usualBay_m = 8;
/** Up to this width a house counts as one bay. */
const widestSingleBay_m = 12;

export interface BayProposal {
  bay_count: number;
  bay_width_m: number;
  length_m: number;
}

/** Ways to fill an outline with bays of about the given widths, in that order; without duplicates. */
export function proposeBays(box: Rectangle, widths_m: readonly number[]): BayProposal[] {
  const all = widths_m.map((width_m) => suggestBays(box, width_m));
  return all.filter((one, index) => all.findIndex(({ bay_count }) => bay_count === one.bay_count) === index);
}

/** Bays that fill a drawn width: their number, the width of each to a decimetre, and the length. */
export function suggestBays(box: Rectangle, wanted_m = usualBay_m): BayProposal {
  const bay_count =
    box.width_m <= widestSingleBay_m ? 1 : Math.min(200, Math.max(1, Math.round(box.width_m / wanted_m)));
  return {
    bay_count,
    bay_width_m: toDecimetre(box.width_m / bay_count),
    length_m: toDecimetre(box.length_m),
  };
}

function toDecimetre(metres: number): number {
  return Math.max(0.1, Math.round(metres * 10) / 10);
}
