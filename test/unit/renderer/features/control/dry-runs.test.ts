import { expect, it, vi } from 'vitest';
import { dryRuns, triedStretches } from '../../../../../renderer/features/control/dry-runs.ts';

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const tried = { from: '2026-03-02T11:00:00.000Z', to: '2026-03-02T12:00:00.000Z', unique_id: id(9) };
const series = { device_id: id(1), measurement_id: id(2), max_age_s: 60 };
const output_id = id(3);

it.each([
  [60, 31 * 86_400],
  [3, 86_400],
  [1, 6 * 3_600],
])('tries what looks every %d s over no more than the server looks', (period_s, longest_s) => {
  expect(triedStretches(period_s).at(-1)).toBe(longest_s);
});

const complete = {
  pid: { measurement: series, setpoint: 20, kp: 1, direction: 'raise', raise: { output_id, kind: 'duration' } },
  trigger: { kind: 'time_point', at: '06:00' },
  conditional: { statement: 'let a = 1;', conditions: [], actions: [] },
  function: { kind: 'statistics', options: { period_s: 60, measurement: series, window_s: 3_600 } },
};
const words = ['pid', 'trigger', 'conditional', 'function'] as const;

it.each(words)('asks for a %s that is complete but for its name, and for none that is not', async (word) => {
  const call = vi.fn(async () => ({}));
  const { ask } = dryRuns[word] ?? expect.fail();
  await ask(complete[word], tried)?.(call as never);
  expect(call).toHaveBeenCalledOnce();
  expect(ask({}, tried)).toBeNull();
});

it('asks for a trigger over the stretch, in place of the one that it would change', async () => {
  const call = vi.fn(async (_endpoint: unknown, _given: unknown) => ({}));
  await dryRuns.trigger?.ask(complete.trigger, tried)?.(call as never);
  expect(call.mock.calls[0]?.[1]).toMatchObject({ body: { trigger: { at: '06:00', name: '–' }, ...tried } });
});
