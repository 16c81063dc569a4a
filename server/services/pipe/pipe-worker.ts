import { parentPort } from 'node:worker_threads';
import { serveTasks } from '../../worker/host.ts';
import { pipeTasks } from './pipe-tasks.ts';

/** Entry of the thread that lays pipes. */
if (parentPort === null) throw new Error('pipe-worker runs as a worker thread only');
serveTasks(parentPort, { own: null, tasks: pipeTasks, close: () => undefined });
