import { parentPort } from 'node:worker_threads';

/** Dies of the first thing it is asked. */
parentPort?.on('message', () => process.exit(3));
