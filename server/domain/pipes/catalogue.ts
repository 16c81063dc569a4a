import type { PipeSeries } from '../../contract/pipe-hydraulics.ts';

/** A pipe as it is sold. */
export interface PipeSize {
  /** Outer diameter, by which it is named, mm. */
  diameter_mm: number;
  inner_mm: number;
  /** Per metre; sizing minimises it. */
  cost: number;
}

interface Series {
  standard: string;
  /** kg/m3, ISO 4427-1 and ISO 1452-2. */
  density_kg_m3: number;
  /** Maximum working pressure with cold water of 20 C, bar. */
  nominal_bar: number;
  /** Outer diameter and minimum wall, mm: tables of EN 12201-2:2011 and ISO 1452-2:2009, which follow ISO 4065. */
  walls: readonly (readonly [number, number])[];
}

/** Sizes from 20 to 250 mm. */
export const pipeSeriesData: Readonly<Record<PipeSeries, Series>> = {
  pe100_sdr17: {
    standard: 'EN 12201-2 / ISO 4427-2, PE 100, SDR 17, PN 10',
    density_kg_m3: 955,
    nominal_bar: 10,
    // prettier-ignore
    walls: [
      [32, 2], [40, 2.4], [50, 3], [63, 3.8], [75, 4.5], [90, 5.4], [110, 6.6],
      [125, 7.4], [140, 8.3], [160, 9.5], [180, 10.7], [200, 11.9], [225, 13.4], [250, 14.8],
    ],
  },
  pe100_sdr11: {
    standard: 'EN 12201-2 / ISO 4427-2, PE 100, SDR 11, PN 16',
    density_kg_m3: 955,
    nominal_bar: 16,
    // prettier-ignore
    walls: [
      [20, 2], [25, 2.3], [32, 3], [40, 3.7], [50, 4.6], [63, 5.8], [75, 6.8], [90, 8.2], [110, 10],
      [125, 11.4], [140, 12.7], [160, 14.6], [180, 16.4], [200, 18.2], [225, 20.5], [250, 22.7],
    ],
  },
  pvc_u_pn10: {
    standard: 'ISO 1452-2, PVC-U, PN 10 (S 10 up to 90 mm, S 12.5 above)',
    density_kg_m3: 1400,
    nominal_bar: 10,
    // prettier-ignore
    walls: [
      [32, 1.6], [40, 1.9], [50, 2.4], [63, 3], [75, 3.6], [90, 4.3], [110, 4.2],
      [125, 4.8], [140, 5.4], [160, 6.2], [180, 6.9], [200, 7.7], [225, 8.6], [250, 9.6],
    ],
  },
};

/** Prices per metre by outer diameter. */
export type PipePrices = ReadonlyMap<number, number>;

/**
 * The sizes of a series, smallest first. Costs are prices if every size has one, else kg/m, to which prices of plastic
 * pipe are proportional.
 */
export function pipeSizes(series: PipeSeries, prices: PipePrices = new Map()): PipeSize[] {
  const { walls, density_kg_m3 } = pipeSeriesData[series];
  const isPriced = walls.every(([diameter_mm]) => prices.has(diameter_mm));
  return walls.map(([diameter_mm, wall_mm]) => {
    const weight_kg_m = Math.PI * (diameter_mm - wall_mm) * wall_mm * 1e-6 * density_kg_m3;
    return {
      diameter_mm,
      inner_mm: diameter_mm - 2 * wall_mm,
      cost: isPriced ? (prices.get(diameter_mm) ?? weight_kg_m) : weight_kg_m,
    };
  });
}
