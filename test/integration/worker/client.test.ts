import { describe, expect, it, onTestFinished } from 'vitest';
import { WorkerClient } from '../../../server/worker/client.ts';
import { workerEntry } from '../../../server/worker-entry.ts';
import type { TroubledTasks } from '../../support/troubled-worker.ts';

const entry = workerEntry('../../support/troubled-worker', import.meta.url);

function client(timeoutMs = 10_000): WorkerClient<string, TroubledTasks> {
  const made = new WorkerClient<string, TroubledTasks>({ entry, data: 'hello', timeoutMs });
  onTestFinished(() => made.close());
  return made;
}

describe('WorkerClient', () => {
  it('runs tasks in their order, and says while it is busy', async () => {
    const worker = client();
    const order: string[] = [];
    const run = (name: string) => worker.run('greet', name).then(({ greeting }) => order.push(greeting));
    const both = Promise.all([run('one'), run('two')]);
    expect(worker.isBusy).toBe(true);
    await both;
    expect([order, worker.isBusy]).toEqual([['hello one', 'hello two'], false]);
  });

  it('gives text as bytes', async () => {
    const bytes = await client().run('write');
    expect(bytes.toString()).toBe('hello: ångström');
  });

  it('gives a refusal as it was thrown, and the code of a fault', async () => {
    const worker = client();
    await expect(worker.run('refuse')).rejects.toMatchObject({
      name: 'Refusal',
      code: 'already_placed',
      status: 409,
      members: { features: ['a', 'b'] },
    });
    await expect(worker.run('fail')).rejects.toMatchObject({ code: 'SQLITE_FULL', message: 'disk is full' });
    expect((await worker.run('greet', 'still here')).greeting).toBe('hello still here');
  });

  it('fails what was under way when the worker dies, and starts another', async () => {
    const worker = client();
    const lost = [worker.run('die'), worker.run('greet', 'behind it')];
    for (const result of await Promise.allSettled(lost)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'worker_stopped' } });
    }
    expect((await worker.run('greet', 'again')).greeting).toBe('hello again');
  });

  it('ends a worker that hangs', async () => {
    const worker = client(300);
    await expect(worker.run('hang')).rejects.toMatchObject({ code: 'worker_timeout' });
    expect(worker.isBusy).toBe(false);
  });

  it('lets a worker without work go, and starts another for the next', async () => {
    const worker = new WorkerClient<string, TroubledTasks>({ entry, data: 'hello', timeoutMs: 10_000, idleMs: 0 });
    onTestFinished(() => worker.close());
    const first = await worker.run('count');
    await new Promise((resolve) => setTimeout(resolve, 5)); // it is let go after 0 ms
    expect([first, await worker.run('count')]).toEqual([1, 1]);
  });

  it('keeps a worker while there is work', async () => {
    const worker = client();
    expect([await worker.run('count'), await worker.run('count')]).toEqual([1, 2]);
  });

  it('refuses work after closing, and closes without ever having started', async () => {
    const worker = client();
    await worker.close();
    await expect(worker.run('greet', 'late')).rejects.toMatchObject({ code: 'closed' });
  });
});
