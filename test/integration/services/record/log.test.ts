import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLog } from '../../../../server/log.ts';
import { LogService } from '../../../../server/services/record/log.ts';
import { RotatingFile } from '../../../../server/db/rotating-file.ts';
import { testFolder } from '../../../support/database.ts';

function written(directory: string): string {
  const file = join(directory, 'logs/service.log');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

describe('the log of a service', () => {
  it('holds no secrets, however they come into it', async () => {
    const directory = testFolder();
    const log = openLog('info', { directory, isQuiet: true });
    const secret = 'bGV0LW1lLWluLXBsZWFzZQ==';
    log.info({ headers: { authorization: `Basic ${secret}`, 'x-api-key': secret } }, 'asked');
    log.info({ url: `/api/designs?api_key=${secret}&limit=3` }, `GET /api/designs?api_key=${secret}`);
    log.error({ err: new Error(`mqtt://grower:${secret}@broker refused`) }, `body {"password":"${secret}"}`);
    log.warn({ body: JSON.stringify({ passphrase: secret, name: 'North field' }) }, 'kept');
    await expect.poll(() => written(directory)).toContain('North field');
    expect(written(directory)).not.toContain(secret);
    expect(statSync(join(directory, 'logs/service.log')).mode & 0o077).toBe(0);
  });

  it('is read latest first, page by page, with what belongs to a line', async () => {
    const directory = testFolder();
    const log = openLog('debug', { directory, isQuiet: true });
    for (let n = 1; n <= 25; n += 1) log.info({ n }, 'tick');
    log.debug('seldom of use');
    log.error({ output_id: 'o' }, 'the disk failed');
    await expect.poll(() => written(directory)).toContain('the disk failed');
    const logs = new LogService({ directory });
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await logs.list({ limit: 7, cursor });
      seen.push(...page.logs.map(({ message, detail }) => detail['n'] ?? message));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(['the disk failed', ...Array.from({ length: 25 }, (_, at) => 25 - at)]);
    expect((await logs.list({ level: 'warn' })).logs).toMatchObject([{ level: 'error', detail: { output_id: 'o' } }]);
    expect((await logs.list({ contains: 'SELDOM', level: 'trace' })).logs).toHaveLength(1);
    expect((await logs.list({ source: 'daemon' })).logs).toEqual([]);
    await expect(logs.list({ cursor: 'nonsense' })).rejects.toMatchObject({ code: 'invalid_field' });
  });
});

it('a log is searched by what is shown of it, not by how it is stored', async () => {
  const directory = testFolder();
  const log = openLog('info', { directory, isQuiet: true });
  log.info({ file: { path: 'C:\\Data\\a.db' } }, 'opened "North"');
  log.info({ path: '/other' }, 'the last');
  await expect.poll(() => written(directory)).toContain('the last');
  const logs = new LogService({ directory });
  const found = async (contains: string) => (await logs.list({ contains })).logs.map(({ message }) => message);
  expect(await found('c:\\data\\')).toEqual(['opened "North"']);
  expect(await found('"north"')).toEqual(['opened "North"']);
  expect(await found('path')).toEqual([]);
  expect(await found('level')).toEqual([]);
});

it('a log begins anew when it is full, and the oldest file goes', async () => {
  const directory = testFolder();
  const file = new RotatingFile(join(directory, 'a.log'), { mostBytes: 100, kept: 2 });
  for (let n = 100; n < 150; n += 1) expect(await file.write(Buffer.from(`line ${n}\n`))).toBe(9);
  await file.close();
  expect(readdirSync(directory).sort()).toEqual(['a.log', 'a.log.1', 'a.log.2']);
  const all = ['a.log.2', 'a.log.1', 'a.log'].map((name) => readFileSync(join(directory, name), 'utf8')).join('');
  expect(all.endsWith('line 149\n')).toBe(true);
  expect(all.split('\n').length).toBeLessThan(40);
  expect(all).toMatch(/^(line \d+\n)+$/);
});
