import { describe, expect, it, onTestFinished } from 'vitest';
import { mostWaiting, WorkerClient } from '../../../server/worker/client.ts';
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

  it('fails what was under way when the worker dies, and nothing behind it', async () => {
    const worker = client();
    const [lost, behind] = await Promise.allSettled([worker.run('die'), worker.run('greet', 'behind it')]);
    expect(lost).toMatchObject({ status: 'rejected', reason: { code: 'worker_stopped' } });
    expect(behind).toMatchObject({ status: 'fulfilled', value: { greeting: 'hello behind it' } });
    expect((await worker.run('greet', 'again')).greeting).toBe('hello again');
  });

  it('ends a worker that hangs, and gives what waited to another', async () => {
    const worker = client(3000);
    await worker.run('greet', 'awake'); // so that the start of the thread is no part of it
    const [hung, behind] = await Promise.allSettled([worker.run('hang'), worker.run('greet', 'behind it')]);
    expect(hung).toMatchObject({ status: 'rejected', reason: { code: 'worker_timeout' } });
    expect(behind).toMatchObject({ status: 'fulfilled', value: { greeting: 'hello behind it' } });
    expect(worker.isBusy).toBe(false);
  });

  it('counts the time of a task from when the worker has it', async () => {
    const worker = client(3000);
    await worker.run('greet', 'awake');
    const all = await Promise.allSettled(Array.from({ length: 7 }, () => worker.run('rest', 500)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
  });

  it('counts it anew with each thing that the task asks for', async () => {
    const worker = client(1500);
    await worker.run('greet', 'awake');
    await expect(worker.run('askOften', { times: 8, every_ms: 300 })).resolves.toBeUndefined();
  });

  it('goes on behind a task that cannot be sent', async () => {
    const worker = client();
    const unsendable = (() => undefined) as unknown as string;
    const [, lost, behind] = await Promise.allSettled([
      worker.run('count'),
      worker.run('greet', unsendable),
      worker.run('greet', 'behind it'),
    ]);
    expect(lost).toMatchObject({ status: 'rejected', reason: { name: 'DataCloneError' } });
    expect(behind).toMatchObject({ status: 'fulfilled', value: { greeting: 'hello behind it' } });
  });

  it('refuses what would wait behind too many, and takes more when they are done', async () => {
    const worker = client();
    const taken = Array.from({ length: mostWaiting }, (_, at) => worker.run('greet', `${at}`));
    await expect(worker.run('greet', 'one too many')).rejects.toMatchObject({ code: 'too_many_waiting' });
    expect(await Promise.all(taken)).toHaveLength(mostWaiting);
    expect((await worker.run('greet', 'again')).greeting).toBe('hello again');
  });

  it('ends what waits with what is under way when it closes', async () => {
    const worker = client();
    const both = Promise.all([worker.run('rest', 200), worker.run('greet', 'behind it')]);
    await worker.close();
    expect((await both)[1].greeting).toBe('hello behind it');
  });

  it('ends at once when nothing is to be stored, whatever is under way', async () => {
    const worker = client();
    await worker.run('greet', 'awake');
    const both = Promise.allSettled([worker.run('hang'), worker.run('greet', 'behind it')]);
    await worker.end();
    expect(await both).toMatchObject([{ reason: { code: 'worker_stopped' } }, { reason: { code: 'worker_stopped' } }]);
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
