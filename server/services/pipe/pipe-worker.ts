import { parentPort } from 'node:worker_threads';
import { serveTasks } from '../../worker/host.ts';
import { Epanet } from './epanet.ts';
import { pipeTasks } from './pipe-tasks.ts';

/** Entry point of the thread that lays pipes. Tasks that arrive while EPANET loads wait in the port. */
if (parentPort === null) throw new Error('pipe-worker runs as a worker thread only');
serveTasks(parentPort, { own: await Epanet.load(), tasks: pipeTasks, close: () => undefined });
