import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../../../../server/contract/commissioning.ts';
import { traceDrawing } from '../../../../../renderer/features/commissioning/trace.ts';

const from = Date.parse('2026-01-15T04:00:00.000Z');
const size = { width: 100, height: 104 };

function evidence(values: (number | null)[], change: Partial<Evidence> = {}): Evidence {
  return {
    sensor: 'North',
    device_id: null,
    measurement_id: null,
    unit: 'C',
    baseline: null,
    response: null,
    threshold: null,
    noise: null,
    lag_s: null,
    driven_at: null,
    restored_at: null,
    trace: { times: values.map((_, index) => from + 1000 * index), values },
    ...change,
  };
}

const scale = { low: 10, high: 20 };

describe('the drawing of a trace', () => {
  it('spans the frame from the first reading to the last and from end to end of the scale', () => {
    const drawn = traceDrawing(evidence([10, 20, 15]), scale, size);
    expect(drawn).toEqual({ path: 'M0.0 102.0L50.0 2.0L100.0 52.0', band: null, driven: null });
  });

  it('leaves out readings that are missing', () => {
    expect(traceDrawing(evidence([10, null, 20]), scale, size)?.path).toBe('M0.0 102.0L100.0 2.0');
  });

  it('has the band in which a change does not count, also where no reading reaches its edges', () => {
    const drawn = traceDrawing(evidence([15, 15, 15], { baseline: 15, threshold: 5 }), scale, size);
    expect(drawn).toMatchObject({ band: { top: 2, height: 100 } });
  });

  it('marks the command where it lies within', () => {
    const at = (ms: number) => new Date(from + ms).toISOString();
    expect(traceDrawing(evidence([10, 20], { driven_at: at(500) }), scale, size)?.driven).toBe(50);
    expect(traceDrawing(evidence([10, 20], { driven_at: at(-1) }), scale, size)?.driven).toBeNull();
    expect(traceDrawing(evidence([10, 20], { driven_at: at(1001) }), scale, size)?.driven).toBeNull();
  });

  it('draws a flat line, and nothing where there is nothing to draw', () => {
    expect(traceDrawing(evidence([15, 15]), scale, size)?.path).toBe('M0.0 52.0L100.0 52.0');
    for (const values of [[], [15], [null, null], [null, 15]])
      expect(traceDrawing(evidence(values), scale, size)).toBeNull();
    expect(traceDrawing(evidence([10, 20]), scale, { width: 0, height: 90 })).toBeNull();
  });
});
