import { parentPort, workerData } from 'node:worker_threads';
import { faultOf } from './backup-error.ts';
import { backupTasks, type BackupOrder } from './backup-tasks.ts';

/** Entry point of the thread that makes, checks or unpacks one backup; workerData is the order. */
if (parentPort === null) throw new Error('backup-worker runs as a worker thread only');
const { task, asked } = workerData as BackupOrder; // of inThread
try {
  parentPort.postMessage({ result: await backupTasks[task](asked as never) }); // the pair is held together by its type
} catch (error) {
  parentPort.postMessage({ fault: faultOf(error) });
}
