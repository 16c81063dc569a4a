import { parentPort, workerData } from 'node:worker_threads';
import { serveTasks } from '../../worker/host.ts';
import { rehearsalTasks } from './rehearsal-tasks.ts';

/** Entry point of the thread that rehearses climate programs; workerData is the data directory. */
if (parentPort === null) throw new Error('rehearsal-worker runs as a worker thread only');
serveTasks(parentPort, { own: String(workerData), tasks: rehearsalTasks, close: () => undefined });
