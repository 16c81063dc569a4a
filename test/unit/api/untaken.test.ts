import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import { whileTaken } from '../../../server/api/untaken.ts';

it('gives a stream up once its reader has asked for no part for five minutes, however long it asks for them', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const response = Object.assign(new EventEmitter(), { destroyed: false, destroy: vi.fn<() => void>() });
  async function* parts(): AsyncGenerator<string> {
    for (;;) yield 'a line\r\n';
  }
  const taken = whileTaken(response as unknown as ServerResponse, parts()); // all it uses
  for (let minute = 0; minute < 20; minute += 4) {
    expect((await taken.next()).value).toBe('a line\r\n');
    vi.advanceTimersByTime(4 * 60_000);
  }
  expect(response.destroy).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);
  expect(response.destroy).toHaveBeenCalledOnce();
});

it('waits for nothing more once the reader has gone', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const response = Object.assign(new EventEmitter(), { destroyed: false, destroy: vi.fn<() => void>() });
  async function* part(): AsyncGenerator<string> {
    yield 'a line\r\n';
  }
  await whileTaken(response as unknown as ServerResponse, part()).next(); // all it uses
  response.emit('close');
  expect(vi.getTimerCount()).toBe(0);
});
