import { open } from 'node:fs/promises';
import pino from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LogDestination } from '../../server/log-destination.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function diskOf() {
  const disk = {
    text: '',
    isFull: false,
    take: (bytes: Buffer): number => {
      if (disk.isFull) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      const taken = bytes.subarray(0, 7); // as a pipe does that is nearly full
      disk.text += taken.toString();
      return taken.length;
    },
    write: async (bytes: Buffer): Promise<number> => disk.take(bytes),
    writeNow: (bytes: Buffer): void => void disk.take(bytes),
  };
  return disk;
}

it('keeps what a full disk refuses and writes it whole and in order once it is taken', async () => {
  const disk = diskOf();
  const log = new LogDestination(disk);
  log.write('the first line\n');
  await vi.advanceTimersByTimeAsync(0);
  disk.isFull = true;
  for (const line of ['the second line\n', 'the third line\n']) log.write(line);
  await vi.advanceTimersByTimeAsync(0);
  disk.isFull = false;
  expect(disk.text).toBe('the first line\n');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(disk.text).toBe('the first line\nthe second line\nthe third line\n');
});

it('says how many lines it gave up', async () => {
  const disk = diskOf();
  const log = new LogDestination(disk);
  disk.isFull = true;
  for (let at = 0; at < 1_203; at += 1) log.write(`line ${at}\n`);
  await vi.advanceTimersByTimeAsync(0);
  disk.isFull = false;
  await vi.advanceTimersByTimeAsync(1_000);
  const lines = disk.text.trimEnd().split('\n');
  expect(lines).toHaveLength(1_001);
  expect(lines.at(-2)).toBe('line 1202');
  expect(lines.at(-1)).toContain('203 lines of the log were lost');
});

it('waits for no disk, and writes at the end of the process what still waits', async () => {
  const taken: string[] = [];
  const slow = Promise.withResolvers<number>();
  const log = new LogDestination({
    write: () => slow.promise,
    writeNow: (bytes) => void taken.push(bytes.toString()),
  });
  for (const line of ['under way\n', 'second\n', 'third\n']) log.write(line);
  expect(taken).toEqual([]);
  log.end();
  expect(taken).toEqual(['under way\n', 'second\n', 'third\n']);
});

it.skipIf(process.platform !== 'linux')('logs to a device that is full without a word', async () => {
  vi.useRealTimers();
  const full = await open('/dev/full', 'w');
  const refused: unknown[] = [];
  const write = (bytes: Buffer): Promise<number> =>
    full.write(bytes).then(
      ({ bytesWritten }) => bytesWritten,
      (error: unknown) => {
        refused.push(error);
        throw error;
      },
    );
  const log = pino({}, new LogDestination({ write, writeNow: () => undefined }));
  log.error({ err: new Error('x') }, 'a request failed');
  await expect.poll(() => refused).toMatchObject([{ code: 'ENOSPC' }]);
  await full.close();
});
