import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acquireInstanceLock, dataDirectoryId, readInstanceId } from '../../../server/db/instance-lock.ts';
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

it('tells a copied data directory from its original', () => {
  const [one, other] = [testFolder(), testFolder()];
  expect(dataDirectoryId(one)).toBe(dataDirectoryId(`${one}/.`));
  expect(dataDirectoryId(one)).not.toBe(dataDirectoryId(other));
});
