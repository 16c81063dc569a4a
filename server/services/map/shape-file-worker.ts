import { parentPort } from 'node:worker_threads';
import { serveTasks } from '../../worker/host.ts';
import { shapeFileTasks } from './shape-file-tasks.ts';

/** Entry point of the thread that reads and writes shape files, so that no save of a map waits for one. */
if (parentPort === null) throw new Error('shape-file-worker runs as a worker thread only');
serveTasks(parentPort, { own: null, tasks: shapeFileTasks, close: () => undefined });
