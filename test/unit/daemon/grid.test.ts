import { describe, expect, it } from 'vitest';
import { Grid } from '../../../server/daemon/grid.ts';
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
