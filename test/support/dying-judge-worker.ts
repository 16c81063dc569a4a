import { parentPort } from 'node:worker_threads';

/** Exits at its first task. */
parentPort?.on('message', () => process.exit(3));
