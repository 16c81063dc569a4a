import { describe, expect, it } from 'vitest';
import type { Feature } from '../../../../../server/contract/overlay.ts';
import type { PipePlan } from '../../../../../server/contract/pipe.ts';
import { overlapAreas, overlapBands } from '../../../../../renderer/features/map/pipe-colors.ts';
import { metresPerDegree } from '../../../../../renderer/map/metric-step.ts';
import { pipeDrawing } from '../../../../../renderer/features/map/pipe-drawing.ts';

const [pump, valve] = ['pump', 'valve'];
const at = (device_id: string, coordinates: number[]): Feature => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates },
  properties: { type: 'device', name: '', unique_id: `at ${device_id}`, device_id },
});
/** A pipe of 111 m to the north. */
const plan = {
  source_device_ids: [pump],
  features: [
    {
      type: 'Feature',
      geometry: { type: 'LineString', coordinates: [[127, 37], [127, 37.001]] }, // prettier-ignore
      properties: { role: 'branch', to: valve, diameter_mm: 63, length_m: 111 },
    },
  ],
} as unknown as PipePlan; // what the drawing looks at

describe('pipeDrawing', () => {
  it('lays a plan out in metres, north up, devices numbered from the source on', () => {
    const found = pipeDrawing(plan, [at(valve, [127, 37.001]), at(pump, [127, 37])]);
    expect(found.height_m - found.width_m).toBeCloseTo(1.06 * 111, 0);
    expect(found.devices.map(({ number, device_id, isSource }) => [number, device_id, isSource])).toEqual([
      [1, pump, true],
      [2, valve, false],
    ]);
    const [source, end] = found.devices.map((device) => device.at[1]);
    expect((source ?? 0) - (end ?? 0)).toBeCloseTo(111, 0);
    expect(found.sizes.map(({ text }) => text)).toEqual(['63']);
    expect(found.bar_m).toBeLessThanOrEqual(found.width_m / 4);
  });
});

describe('what falls on the ground', () => {
  const overlap = {
    radius_m: 1,
    mean_mm_h: 2,
    least_mm_h: 0,
    most_mm_h: 4,
    uniformity_pct: 50,
    christiansen_pct: 50,
    cell_m: 2,
    angle_deg: 30,
    cells: [[127, 37, 0] as [number, number, number], [127, 37.001, 4] as [number, number, number]], // prettier-ignore
  };

  it('is drawn as squares of its size, the least and the most at the ends of the ramp', () => {
    const [dry, wet] = overlapAreas([overlap]);
    const bands = overlapBands([overlap]);
    expect([dry?.color, wet?.color]).toEqual([bands[0]?.color, bands.at(-1)?.color]);
    const [a, b] = dry?.positions ?? [];
    const { east_m, north_m } = metresPerDegree(37);
    const [east, north] = [((b?.[0] ?? 0) - (a?.[0] ?? 0)) * east_m, ((b?.[1] ?? 0) - (a?.[1] ?? 0)) * north_m];
    expect(Math.hypot(east, north)).toBeCloseTo(2, 6);
    // A square whose lines run 30 degrees clockwise from north has a side 30 degrees south of east.
    expect((Math.atan2(-north, east) * 180) / Math.PI).toBeCloseTo(30, 6);
  });

  it('has one colour where nothing falls', () => {
    expect(overlapAreas([{ ...overlap, most_mm_h: 0 }])[1]?.color).toBe(overlapBands([])[0]?.color);
  });
});
