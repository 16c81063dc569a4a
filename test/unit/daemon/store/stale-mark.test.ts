import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { StaleMark } from '../../../../server/daemon/store/stale-mark.ts';
import { testFolder } from '../../../support/database.ts';

it('is one byte that is there before it is needed, and outlives its writer', async () => {
  const file = join(testFolder(), 'control.stale');
  const mark = new StaleMark(file);
  expect([mark.value, readFileSync(file, 'latin1')]).toEqual(['no', '0']);
  void mark.set('behind');
  await mark.set('stopped');
  expect(new StaleMark(file).value).toBe('stopped');
  await mark.set('no');
  expect([new StaleMark(file).value, readFileSync(file, 'latin1')]).toEqual(['no', '0']);
});

it('says no where nothing can be kept', async () => {
  const mark = new StaleMark('/proc/no/such/folder');
  await mark.set('behind');
  expect(new StaleMark('/proc/no/such/folder').value).toBe('no');
});
