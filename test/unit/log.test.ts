import { closeSync, openSync, writeSync } from 'node:fs';
import pino from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LogDestination } from '../../server/log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function diskOf(): { text: string; isFull: boolean; write: (bytes: Buffer) => number } {
  const disk = {
    text: '',
    isFull: false,
    write: (bytes: Buffer) => {
      if (disk.isFull) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      const taken = bytes.subarray(0, 7); // as a pipe does that is nearly full
      disk.text += taken.toString();
      return taken.length;
    },
  };
  return disk;
}

it('keeps what a full disk refuses and writes it whole and in order once it is taken', () => {
  const disk = diskOf();
  const log = new LogDestination(disk.write);
  log.write('the first line\n');
  disk.isFull = true;
  for (const line of ['the second line\n', 'the third line\n']) log.write(line);
  disk.isFull = false;
  expect(disk.text).toBe('the first line\n');
  vi.advanceTimersByTime(1_000);
  expect(disk.text).toBe('the first line\nthe second line\nthe third line\n');
});

it('says how many lines it gave up', () => {
  const disk = diskOf();
  const log = new LogDestination(disk.write);
  disk.isFull = true;
  for (let at = 0; at < 1_203; at += 1) log.write(`line ${at}\n`);
  disk.isFull = false;
  vi.advanceTimersByTime(1_000);
  const lines = disk.text.trimEnd().split('\n');
  expect(lines).toHaveLength(1_001);
  expect(lines.at(-2)).toBe('line 1202');
  expect(lines.at(-1)).toContain('203 lines of the log were lost');
});

it.skipIf(process.platform !== 'linux')('logs to a device that is full without a word', () => {
  const full = openSync('/dev/full', 'w');
  const log = pino({}, new LogDestination((bytes) => writeSync(full, bytes)));
  expect(() => log.error({ err: new Error('x') }, 'a request failed')).not.toThrow();
  closeSync(full);
});
