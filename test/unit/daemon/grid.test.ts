import { describe, expect, it } from 'vitest';
import { Grid, ownPhases, phaseOf } from '../../../server/daemon/grid.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';

function recordingGrid(options: { periodMs: number; offsetMs?: number; takesMs?: number[] }) {
  const clock = new ManualClock();
  const start = clock.elapsed();
  const ticks: number[] = [];
  const takes = [...(options.takesMs ?? [])];
  const tick = async (): Promise<void> => {
    ticks.push(clock.elapsed() - start);
    const ms = takes.shift() ?? 0;
    if (ms > 0) await new Promise<void>((resolve) => void clock.after(ms, resolve));
  };
  const grid = new Grid({ clock, tick, periodMs: options.periodMs, offsetMs: options.offsetMs ?? 0 });
  return { clock, grid, ticks };
}

describe('the time grid', () => {
  it('does not drift by what a tick takes', async () => {
    const { clock, grid, ticks } = recordingGrid({ periodMs: 1000, takesMs: [300, 700, 999] });
    grid.start();
    await clock.advance(4000);
    expect(ticks).toEqual([0, 1000, 2000, 3000, 4000]);
  });

  it('skips the ticks that a long one runs over and stays on the grid', async () => {
    const { clock, grid, ticks } = recordingGrid({ periodMs: 1000, takesMs: [2500] });
    grid.start();
    await clock.advance(5000);
    expect(ticks).toEqual([0, 3000, 4000, 5000]);
  });

  it('begins after its offset', async () => {
    const { clock, grid, ticks } = recordingGrid({ periodMs: 1000, offsetMs: 250 });
    grid.start();
    await clock.advance(2500);
    expect(ticks).toEqual([250, 1250, 2250]);
  });

  it('ticks once where a timer comes a moment early, as those of the system do', async () => {
    const clock = new ManualClock();
    const early = {
      now: () => clock.now(),
      elapsed: () => clock.elapsed(),
      after: (delayMs: number, run: () => void) => clock.after(delayMs - 0.4, run),
    };
    let ticks = 0;
    const grid = new Grid({ clock: early, periodMs: 100, offsetMs: 61.8, tick: async () => void (ticks += 1) });
    grid.start();
    await clock.advance(10_000);
    expect(ticks).toBe(100);
  });

  it('stops after the tick under way, and begins none', async () => {
    const { clock, grid, ticks } = recordingGrid({ periodMs: 1000, takesMs: [500] });
    grid.start();
    await clock.advance(100);
    let isStopped = false;
    const stopped = grid.stop().then(() => (isStopped = true));
    await settled();
    expect(isStopped).toBe(false);
    await clock.advance(400);
    await stopped;
    await clock.advance(5000);
    expect(ticks).toEqual([0]);
  });
});

it('spreads the phases of many loops evenly, sixteen together', () => {
  const groups = Array.from({ length: 1_600 }, (_, ordinal) => phaseOf(ordinal));
  const phases = [...new Set(groups)].sort((a, b) => a - b);
  const gaps = phases.map((phase, at) => (phases[at + 1] ?? 1) - phase);
  expect(groups.slice(0, 16)).toEqual(Array(16).fill(0));
  expect(phases).toHaveLength(100);
  expect(Math.max(...gaps)).toBeLessThan(0.02);
});

it('loops that act begin one by one, as far apart as so many can', () => {
  const next = ownPhases();
  const phases = Array.from({ length: 100 }, next).sort((a, b) => a - b);
  const gaps = phases.map((phase, index) => (phases[index + 1] ?? 1) - phase);
  expect(Math.min(...gaps)).toBeGreaterThan(0.003);
  expect(Math.max(...gaps)).toBeLessThan(0.03);
});
