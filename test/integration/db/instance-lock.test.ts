import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acquireInstanceLock, dataDirectoryId, readInstanceId } from '../../../server/db/instance-lock.ts';
import { LockedError, lockFile } from '../../../server/db/lock-file.ts';
import { testFolder } from '../../support/database.ts';

describe('the lock of a data directory', () => {
  it('names it once and for ever', () => {
    const file = join(testFolder(), 'daemon.lock');
    expect(readInstanceId(file)).toBeNull();
    const first = acquireInstanceLock(file);
    expect(readInstanceId(file)).toBe(first.instance_id);
    first.release();
    first.release();
    const second = acquireInstanceLock(file);
    expect(second.instance_id).toBe(first.instance_id);
    second.release();
  });

  it('is held by one process, named to the next, and free when that one is killed', async () => {
    const folder = testFolder();
    const file = join(folder, 'daemon.lock');
    const holder = join(folder, 'holder.ts');
    const source = new URL('../../../server/db/instance-lock.ts', import.meta.url).href;
    writeFileSync(
      holder,
      `import { acquireInstanceLock } from '${source}';
       process.send(acquireInstanceLock(${JSON.stringify(file)}).instance_id);
       setInterval(() => undefined, 1000);`,
    );
    const child = fork(holder);
    const [instanceId] = (await once(child, 'message')) as unknown[]; // what the holder sends
    expect(readInstanceId(file)).toBe(instanceId);
    expect(() => acquireInstanceLock(file)).toThrow(`locked by process ${child.pid}`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    acquireInstanceLock(file).release();
  });
});

describe('a lock file that is damaged', () => {
  const garbage: Record<string, (sound: Buffer) => Buffer> = {
    'no database at all': () => Buffer.from('not a lock, whatever its name'.repeat(20)),
    zeros: (sound) => Buffer.alloc(sound.length),
    'a page that was overwritten': (sound) => Buffer.concat([sound.subarray(0, 100), Buffer.alloc(sound.length, 0xff)]),
    'cut short': (sound) => sound.subarray(0, 700),
  };

  it.each(Object.entries(garbage))('(%s) is made anew', (_, damage) => {
    const file = join(testFolder(), 'daemon.lock');
    acquireInstanceLock(file).release();
    writeFileSync(file, damage(readFileSync(file)));
    const lock = acquireInstanceLock(file);
    expect(readInstanceId(file)).toBe(lock.instance_id);
    expect(() => acquireInstanceLock(file)).toThrow(`locked by process ${process.pid}`);
    lock.release();
    acquireInstanceLock(file).release();
  });

  it('is still held by whoever held it', () => {
    const file = join(testFolder(), 'daemon.lock');
    const { release } = lockFile(file);
    writeFileSync(file, 'garbage over a lock that is held'.repeat(20));
    expect(() => lockFile(file)).toThrow(LockedError);
    release();
    lockFile(file).release();
  });
});

it('tells a copied data directory from its original', () => {
  const [one, other] = [testFolder(), testFolder()];
  expect(dataDirectoryId(one)).toBe(dataDirectoryId(`${one}/.`));
  expect(dataDirectoryId(one)).not.toBe(dataDirectoryId(other));
});
