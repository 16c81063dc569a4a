import type * as FileSystem from 'node:fs';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { testFolder } from '../../support/database.ts';

/** A program that looks into a folder keeps Windows from removing it; here nothing does. */
let kept: string[] = [];
vi.mock('node:fs', async (load) => {
  const fs = await load<typeof FileSystem>();
  const rmSync: typeof fs.rmSync = (path, options) => {
    if (kept.some((name) => String(path).includes(name))) throw new Error('EBUSY: resource busy');
    fs.rmSync(path, options);
  };
  return { ...fs, rmSync };
});
const { putBack } = await import('../../../server/backup/put-back.ts');
const { clearWork } = await import('../../../server/backup/make.ts');

let directory: string;

beforeEach(() => {
  kept = [];
  directory = testFolder();
  mkdirSync(join(directory, 'restore.staged'));
});

it('starts beside a restore.staged that cannot be removed, and says so', () => {
  kept = ['restore.staged'];
  const { lines, ...rest } = putBack(directory);
  expect(rest).toEqual({ fault: null, isDecided: false });
  expect(lines).toEqual([expect.stringMatching(/restore\.staged could not be removed: EBUSY/)]);
});

it('starts where a decision cannot be carried out and its folder cannot be removed either', () => {
  kept = ['restore.staged'];
  writeFileSync(join(directory, 'restore.json'), 'rubbish');
  const { lines, fault, isDecided } = putBack(directory);
  expect({ isDecided, hasFault: fault !== null }).toEqual({ isDecided: true, hasFault: true });
  expect(lines).toEqual([expect.stringMatching(/restore\.staged could not be removed/)]);
  expect(existsSync(join(directory, 'restore.json'))).toBe(false);
});

it('removes it where it can', () => {
  expect(putBack(directory).lines).toEqual([]);
  expect(existsSync(join(directory, 'restore.staged'))).toBe(false);
});

it('starts beside the work of a killed backup that cannot be removed', () => {
  mkdirSync(join(directory, 'backup-work-x'));
  kept = ['backup-work-x'];
  expect(clearWork(directory)).toEqual([expect.stringMatching(/backup-work-x could not be removed/)]);
  kept = [];
  expect([clearWork(directory), existsSync(join(directory, 'backup-work-x'))]).toEqual([[], false]);
});
