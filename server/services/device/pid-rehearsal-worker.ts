import { parentPort } from 'node:worker_threads';
import { serveTasks } from '../../worker/host.ts';
import { pidRehearsalTasks } from './pid-rehearsal-tasks.ts';

/** Entry point of the thread that tries gains of PIDs on a simulated house. */
if (parentPort === null) throw new Error('pid-rehearsal-worker runs as a worker thread only');
serveTasks(parentPort, { own: null, tasks: pidRehearsalTasks, close: () => undefined });
