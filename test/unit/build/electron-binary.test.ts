import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { electronBinary, fetchIsDue, hasDisplay } from '../../../build/electron-binary.ts';
import { testFolder } from '../../support/database.ts';

const day = 24 * 3_600_000;
const nowMs = Date.parse('2026-03-01T06:00:00.000Z');

describe('fetchIsDue', () => {
  it.each([
    ['never tried', null, {}, true],
    ['tried an hour ago', nowMs - 3_600_000, {}, false],
    ['tried a moment less than a day ago', nowMs - day + 1, {}, false],
    ['tried a day ago', nowMs - day, {}, true],
    ['never tried, under CI', null, { CI: 'true' }, false],
    ['tried long ago, under CI', nowMs - 10 * day, { CI: '1' }, false],
  ])('%s', (_, triedAtMs, env, due) => {
    expect(fetchIsDue(nowMs, triedAtMs, env)).toBe(due);
  });
});

describe.runIf(process.platform === 'linux')('hasDisplay', () => {
  it.each([
    [{}, false],
    [{ DISPLAY: '' }, false],
    [{ DISPLAY: ':0' }, true],
    [{ WAYLAND_DISPLAY: 'wayland-0' }, true],
    [{ DISPLAY: '', WAYLAND_DISPLAY: 'wayland-0' }, true],
  ])('%o: %s', (env, expected) => {
    expect(hasDisplay(env)).toBe(expected);
  });
});

describe('electronBinary', () => {
  it('is the one in the folder that the environment names, if it is there', () => {
    const folder = join(testFolder(), 'electron');
    const env = { ELECTRON_OVERRIDE_DIST_PATH: folder };
    expect(electronBinary(env)).toBeNull();
    mkdirSync(folder);
    writeFileSync(join(folder, 'electron'), '');
    expect(electronBinary(env)).toBe(join(folder, 'electron'));
  });
});
