import { describe, expect, it } from 'vitest';
import { conditional, type Conditional } from '../../../../../server/contract/conditional.ts';
import { explained } from '../../../../../server/domain/control/reason-text.ts';
import { conditionalDryRun, type StoredCondition } from '../../../../../server/domain/control/dry-runs/conditional.ts';

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const series = { device_id: id(1), measurement_id: id(2) };
const conditions: Conditional['conditions'] = [
  { unique_id: id(3), name: 't', kind: 'measurement', ...series, max_age_s: 120 },
  { unique_id: id(4), name: 'lately', kind: 'past', ...series, over_s: 120, take: 'mean' },
  { unique_id: id(5), name: 'lit', kind: 'output_state', output_id: id(6) },
  { unique_id: id(7), name: 'lit_s', kind: 'output_on_s', output_id: id(6) },
  { unique_id: id(8), name: 'well', kind: 'controller', controller_id: id(9) },
];
const actions = conditional.shape.actions.parse([
  { unique_id: id(10), name: 'heat', kind: 'alarm', severity: 'info', text: 'cold', raise: true },
]);
const minute = 60_000;

/**
 * Readings of 20, 19, ... each minute for ten minutes; the lamp goes on at the third and is unknown from the eighth on.
 */
function tried(statement: string, more: { mostListed?: number; looks?: number } = {}) {
  const times = Float64Array.from({ length: 10 }, (_, at) => at * minute);
  const samples = { times, values: times.map((_, at) => 20 - at) };
  const read: StoredCondition = { samples, unit: 'C' };
  const states = [
    { from_ms: 0, to_ms: 3 * minute, state: 0 },
    { from_ms: 3 * minute, to_ms: 5 * minute, state: 40 },
    { from_ms: 5 * minute, to_ms: 8 * minute, state: 100 },
    { from_ms: 8 * minute, to_ms: 20 * minute, state: null },
  ];
  const stored = [read, read, { states }, { states }, null];
  const rule = { statement, conditions, actions };
  return conditionalDryRun({ rule, stored, from_ms: 0, period_ms: minute, looks: 13, mostListed: 100, ...more });
}
const minutesOf = ({ runs }: ReturnType<typeof conditionalDryRun>): number[] => runs.map(({ at_ms }) => at_ms / minute);

describe('a conditional function over stored days', () => {
  it('acts where its values would have had it act, and says by which numbers', () => {
    const found = tried('if (t < 13) { run(heat, t); }');
    expect(minutesOf(found)).toEqual([8, 9, 10, 11]); // the last reading counts for two minutes more
    expect(found.runs[0]).toEqual({
      at_ms: 8 * minute,
      action: 'heat',
      value: 12,
      reason: expect.anything() as object,
    });
    expect(found.runs[0] && explained(found.runs[0].reason).because).toBe('t < 13 (t = 12\u202f°C)');
    expect(found.stops).toEqual([{ line: 1, column: 5, reason: 'missing', count: 1, first_ms: 12 * minute }]);
  });

  it('looks back as far as a condition says, and knows how long an output was on', () => {
    expect(minutesOf(tried('if (lately - t > 0.9) { run(heat); }'))).toEqual([]); // of two readings, the mean is half above
    expect(minutesOf(tried('if (lately - t > 0.4) { run(heat); }'))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const lit = tried('if (otherwise(lit, false) && lit_s >= 120) { run(heat, lit_s); }');
    expect(lit.runs.map(({ at_ms, value }) => [at_ms / minute, value])).toEqual([
      [5, 120],
      [6, 180],
      [7, 240],
    ]);
  });

  it('does not know whether a controller ran, and lists no more than it may', () => {
    const { run_count, stops } = tried('if (well) { run(heat); }');
    expect([run_count, stops[0]?.count]).toEqual([0, 13]);
    const many = tried('run(heat);', { mostListed: 3 });
    expect([many.run_count, many.runs.length]).toEqual([13, 3]);
  });
});
