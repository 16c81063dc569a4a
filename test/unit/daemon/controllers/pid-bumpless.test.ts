import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Pid } from '../../../../server/contract/pid.ts';
import { heaterId } from '../../../support/daemon-site.ts';
import { MemoryControlStore } from '../../../support/output-bench.ts';
import { pidId, methodId, venting, running } from '../../../support/pid-bench.ts';

describe('without a jump', () => {
  const changes = {
    'other gains': { kp: 9, ki: 0.2 },
    'another setpoint': { setpoint: 22 },
    'another limit of the integral': { integrator_min: -900 },
    'a method': { setpoint: null, method_id: methodId },
    'a derivative': { kd: 30, derivative_filter_s: 5 },
  };

  it.each(Object.entries(changes))('goes on after changed settings: %s', async (_what, change) => {
    const { pids, run, state } = await running();
    await run(3, 26);
    const before = Number(state().control);
    await pids.reconfigure({ ...venting, ...change });
    await run(1, 26);
    expect(state().control).toBeCloseTo(before, 6);
  });

  it('goes on after what is set while it runs, for any numbers', async () => {
    const gain = fc.double({ min: 0.01, max: 5, noNaN: true });
    const cases = fc.record({ kp: gain, ki: gain, setpoint: fc.double({ min: 20, max: 30, noNaN: true }) });
    await fc.assert(
      fc.asyncProperty(cases, async (change) => {
        const { pids, run, state } = await running();
        await run(2, 26);
        const before = Number(state().control);
        pids.get(pidId).loop.tune(change);
        await pids.get(pidId).changed();
        expect(state().control).toBeCloseTo(before, 6);
      }),
      { numRuns: 20 },
    );
  });

  it('follows its method, and goes on where a program names a method or a setpoint', async () => {
    const { pids, run, state, method } = await running();
    await run(3, 26);
    const before = Number(state().control);
    for (const [change, setpoint] of [
      [{ method_id: methodId }, 22],
      [{ setpoint: 23 }, 23],
      [{ method_id: methodId }, 22],
    ] as const) {
      pids.get(pidId).loop.tune(change);
      await run(1, 26);
      expect(state().setpoint).toBe(setpoint);
    }
    expect(Math.abs(Number(state().control) - before)).toBeLessThan(20);
    method.value = 25;
    await run(1, 26);
    expect(state().setpoint).toBe(25);
    await pids.reconfigure({ ...venting, setpoint: 24.5 });
    await run(1, 26);
    expect(state().setpoint).toBe(24.5);
  });

  it.each(['hold', 'pause'] as const)('goes on after a %s, whatever was measured meanwhile', async (word) => {
    const { pids, run, state } = await running();
    await run(3, 26);
    const before = Number(state().control);
    await pids.get(pidId).tell(word);
    await run(3, 30);
    await pids.get(pidId).tell('resume');
    expect(state()).toMatchObject({ state: 'running', setpoint: 24 });
    expect(state().control).toBeCloseTo(before, 6);
  });

  it.each<[string, Partial<Pid>]>([
    ['another period', { period_s: 20 }],
    ['a band', { band: 0.5 }],
    ['another direction', { direction: 'both' }],
    ['another name', { name: 'Air' }],
  ])('goes on after %s', async (_what, change) => {
    const { pids, run, state } = await running();
    await run(3, 26);
    const before = Number(state().control);
    await pids.reconfigure({ ...venting, ...change });
    await pids.get(pidId).changed();
    expect(state().control).toBeCloseTo(before, 6);
  });

  it('goes on after a restart, in the state that it had, with what was set while it ran', async () => {
    const store = new MemoryControlStore();
    const first = await running({}, store);
    await first.run(3, 26);
    first.pids.get(pidId).loop.tune({ kp: 7 });
    await first.pids.get(pidId).changed();
    const before = Number(first.state().control);
    await first.pids.stop();
    const second = await running({}, store);
    expect(second.state()).toMatchObject({ state: 'running', kp: 7 });
    expect(second.state().control).toBeCloseTo(before, 6);
    await second.pids.get(pidId).tell('pause');
    await second.pids.stop();
    expect((await running({}, store)).state().state).toBe('paused');
  });

  it('begins anew once it was deactivated', async () => {
    const store = new MemoryControlStore();
    const { pids, run } = await running({}, store);
    await run(3, 26);
    await pids.deactivate(pidId);
    expect(store.controllers.size).toBe(0);
  });

  it('drives another output and leaves the former one safe', async () => {
    const { pids, run, vent, stateOf } = await running();
    await run(2, 26);
    const lower = { output_id: heaterId, channel: 0, kind: 'duration' } as const;
    await pids.reconfigure({ ...venting, lower });
    await run(1, 30);
    expect(vent()).toBe('off');
    expect(stateOf(heaterId)).toBe('on');
  });
});
