import { parentPort } from 'node:worker_threads';
import { serveTasks } from '../../worker/host.ts';
import { studyTasks } from './study-tasks.ts';

/** Entry of the thread that works out years of houses; it has nothing open. */
if (parentPort === null) throw new Error('study-worker runs as a worker thread only');
serveTasks(parentPort, { own: null, tasks: studyTasks, close: () => undefined });
