import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DaemonMemory } from '../../../server/supervision/memory.ts';

const daemon = { ram_use: vi.fn<() => Promise<number>>(), close: vi.fn<() => void>() };
let memory: DaemonMemory;

beforeEach(() => {
  vi.useFakeTimers();
  daemon.ram_use.mockReset().mockResolvedValue(71.5);
  memory = new DaemonMemory(daemon);
});

afterEach(() => {
  memory.stop();
  vi.useRealTimers();
});

it('is unknown until the daemon has answered, then kept up', async () => {
  memory.start();
  expect(memory.mb).toBeNull();
  await vi.advanceTimersByTimeAsync(0);
  expect(memory.mb).toBe(71.5);
  daemon.ram_use.mockResolvedValue(80);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(memory.mb).toBe(80);
});

it('is unknown again while the daemon does not answer, and once it is another', async () => {
  memory.start();
  await vi.advanceTimersByTimeAsync(0);
  daemon.ram_use.mockRejectedValueOnce(new Error('connection_failed'));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(memory.mb).toBeNull();
  await vi.advanceTimersByTimeAsync(10_000);
  memory.askAgain();
  expect(memory.mb).toBeNull();
  await vi.advanceTimersByTimeAsync(0);
  expect(memory.mb).toBe(71.5);
});

it('asks no more after its stop', async () => {
  memory.start();
  memory.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(daemon.ram_use).toHaveBeenCalledTimes(1);
  expect(daemon.close).toHaveBeenCalled();
});
