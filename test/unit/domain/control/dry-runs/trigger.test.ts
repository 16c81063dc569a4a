import { describe, expect, it } from 'vitest';
import { trigger } from '../../../../../server/contract/trigger.ts';
import type { StoredSeries, StoredStates } from '../../../../../server/domain/control/dry-runs/stored.ts';
import { triggerDryRun, type TriggerDryRunAsked } from '../../../../../server/domain/control/dry-runs/trigger.ts';
import { explained } from '../../../../../server/domain/control/reason-text.ts';

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const place = { lat: 40.4, lng: -3.7, time_zone: 'Europe/Madrid' };
const minute = 60_000;
const common = { unique_id: id(1), name: 'T', is_activated: true, missed: 'skip', actions: [] };
const output = { output_id: id(2) };

function tried(
  given: object,
  stored: StoredSeries | StoredStates | null = null,
  span = { from_ms: 0, to_ms: 3600_000 },
) {
  const one = trigger.parse({ ...common, ...given }) as TriggerDryRunAsked['trigger'];
  return triggerDryRun({ trigger: one, stored, place, mostListed: 3, ...span });
}

/** One reading a minute, NaN where there is none. */
function readings(...values: number[]): StoredSeries {
  const known = values.flatMap((value, at) => (Number.isNaN(value) ? [] : [[at * minute, value] as const]));
  const [times, read] = [known.map(([at]) => at), known.map(([, value]) => value)];
  return { samples: { times: Float64Array.from(times), values: Float64Array.from(read) }, unit: 'C' };
}

const edge = {
  kind: 'edge',
  level: 20,
  direction: 'rising',
  hysteresis: 1,
  measurement: { device_id: id(3), measurement_id: id(4), max_age_s: 90 },
};
const minutesOf = ({ runs }: ReturnType<typeof tried>): number[] => runs.map(({ at_ms }) => at_ms / minute);

describe('a trigger over stored days', () => {
  it('acts where its measurement would have passed the level, and says by which number', () => {
    const found = tried(edge, readings(19, 21, 19.5, 21, 18, 20.5));
    expect(minutesOf(found)).toEqual([1, 5]); // 19.5 is within the hysteresis
    expect(explained(found.runs[0]?.reason ?? expect.fail()).because).toContain('21\u202f°C');
    expect(found.next_ms).toEqual([]);
  });

  it('knows nothing of what came in a silence longer than a reading may be old', () => {
    expect(minutesOf(tried(edge, readings(19, NaN, NaN, 21, 18, 22)))).toEqual([5]);
  });

  it('takes what came before the span for where it stood alone, and lists no more than asked', () => {
    const span = { from_ms: 2 * minute, to_ms: 60 * minute };
    const found = tried(edge, readings(...Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 18 : 22))), span);
    expect(minutesOf(found)).toEqual([3, 5, 7]);
    expect(found.run_count).toBe(9);
  });

  it.each([
    ['at once', {}, [2, 8]],
    ['after a time', { for_s: 120 }, [4]],
    ['after a time that spans two levels', { for_s: 210 }, [5.5]],
  ])('acts on an output that is on, %s', (_, more, expected) => {
    const states = [
      { from_ms: 0, to_ms: 2 * minute, state: 0 },
      { from_ms: 2 * minute, to_ms: 5 * minute, state: 100 },
      { from_ms: 5 * minute, to_ms: 6 * minute, state: 40 },
      { from_ms: 6 * minute, to_ms: 8 * minute, state: null },
      { from_ms: 8 * minute, to_ms: 9 * minute, state: 100 },
    ];
    expect(minutesOf(tried({ kind: 'output', output, state: 'on', ...more }, { states }))).toEqual(expected);
  });

  it('acts on a duty that passes its level', () => {
    const states = [10, 60, 40, 80].map((state, at) => ({ from_ms: at * minute, to_ms: (at + 1) * minute, state }));
    expect(minutesOf(tried({ kind: 'output_pwm', output, level: 50, direction: 'both' }, { states }))).toEqual([
      1, 2, 3,
    ]);
  });

  it('is due by the clock of the site over a clock change, and the next times', () => {
    const span = { from_ms: Date.parse('2026-03-28T00:00:00Z'), to_ms: Date.parse('2026-03-30T00:00:00Z') };
    const found = tried({ kind: 'time_point', at: '06:00' }, null, span);
    expect(found.runs.map(({ at_ms }) => new Date(at_ms).toISOString().slice(0, 16))).toEqual([
      '2026-03-28T05:00',
      '2026-03-29T04:00',
    ]);
    expect(found.next_ms).toHaveLength(5);
    expect(found.next_ms[0]).toBe(Date.parse('2026-03-30T04:00:00Z'));
  });

  it('begins an interval when it is stored', () => {
    const found = tried({ kind: 'interval', period_s: 600 });
    expect(found.run_count).toBe(0);
    expect(found.next_ms).toEqual([1, 2, 3, 4, 5].map((n) => 3600_000 + n * 600_000));
  });

  it('ends in finite time where something is due each second of a month', () => {
    const span = { from_ms: 0, to_ms: 31 * 86_400_000 };
    const found = tried({ kind: 'time_span', from: '00:00', to: '23:59', period_s: 1 }, null, span);
    expect(found.run_count).toBe(50_000);
  });
});
