import { parentPort } from 'node:worker_threads';
import { serveTasks } from '../../worker/host.ts';
import { dryRunTasks } from './dry-run-tasks.ts';

/** Entry point of the thread that tries controllers over stored days. */
if (parentPort === null) throw new Error('dry-run-worker runs as a worker thread only');
serveTasks(parentPort, { own: null, tasks: dryRunTasks, close: () => undefined });
