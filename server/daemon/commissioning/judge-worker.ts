import { parentPort } from 'node:worker_threads';
import { serveTasks } from '../../worker/host.ts';
import { judgeTasks } from './judge-tasks.ts';

/** Entry point of the thread that judges the rounds of a check; it holds nothing open. */
if (parentPort === null) throw new Error('judge-worker runs as a worker thread only');
serveTasks(parentPort, { own: null, tasks: judgeTasks, close: () => undefined });
