import { parentPort, workerData } from 'node:worker_threads';
import { serveTasks } from '../../worker/host.ts';
import { studyTasks } from './study-tasks.ts';

/** Entry point of the thread that calculates years of houses; workerData is the data directory. */
if (parentPort === null) throw new Error('study-worker runs as a worker thread only');
serveTasks(parentPort, { own: String(workerData), tasks: studyTasks, close: () => undefined });
