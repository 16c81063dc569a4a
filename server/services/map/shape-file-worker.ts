import { parentPort } from 'node:worker_threads';
import { serveTasks } from '../../worker/host.ts';
import { shapeFileTasks } from './shape-file-tasks.ts';

/** Entry of the thread that reads and writes files of shapes: a save of a map waits for none of them. */
if (parentPort === null) throw new Error('shape-file-worker runs as a worker thread only');
serveTasks(parentPort, { own: null, tasks: shapeFileTasks, close: () => undefined });
