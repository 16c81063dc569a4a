import { parentPort, workerData } from 'node:worker_threads';
import { serveTasks } from '../../worker/host.ts';
import { FollowedFile } from './followed-file.ts';
import { readTasks } from './read-tasks.ts';
import { sumTasks } from './sum-tasks.ts';

/**
 * Entry point of the thread that answers queries; workerData is the path of measurements.db, which has been migrated by
 * then.
 */
if (parentPort === null) throw new Error('measurement-reader-worker runs as a worker thread only');
const file = new FollowedFile(String(workerData));
serveTasks(parentPort, { own: file, tasks: { ...readTasks, ...sumTasks }, close: () => file.close() });
