import { parentPort, workerData } from 'node:worker_threads';
import { Refusal } from '../../server/contract/errors.ts';
import { askMessage } from '../../server/worker/client.ts';
import { serveTasks } from '../../server/worker/host.ts';

let runs = 0;

/** Tasks that end in every way a worker's task can. */
export const troubledTasks = {
  greet: (own: string, name: string) => ({ greeting: `${own} ${name}` }),
  write: (own: string) => `${own}: ångström`,
  count: (_own: string): number => (runs += 1),
  refuse: (_own: string): never => {
    throw new Refusal('already_placed', 'twice', { members: { features: ['a', 'b'] } });
  },
  fail: (_own: string): never => {
    throw Object.assign(new Error('disk is full'), { code: 'SQLITE_FULL' });
  },
  die: (_own: string): void => process.exit(3),
  rest: (_own: string, forMs: number): void => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs);
  },
  askOften: (_own: string, { times, every_ms }: { times: number; every_ms: number }): void => {
    for (let time = 0; time < times; time += 1) {
      parentPort?.postMessage(askMessage);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, every_ms);
    }
  },
  hang: (_own: string): void => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
};

export type TroubledTasks = typeof troubledTasks;

if (parentPort !== null) {
  serveTasks(parentPort, { own: String(workerData), tasks: troubledTasks, close: () => undefined });
}
