import { parentPort, workerData } from 'node:worker_threads';
import { orangeryMigrations } from '../../db/migrations/orangery.ts';
import { openAsItCan } from '../../db/open.ts';
import { onceWriting, recoverWriting } from '../../db/recovering.ts';
import { transactor } from '../../db/transaction.ts';
import { askMessage } from '../../worker/client.ts';
import { serveTasks } from '../../worker/host.ts';
import type { MapWorkerData } from './runner.ts';
import { dropAllPending } from './staged.ts';
import { mapStore } from './store.ts';
import { mapTasks } from './tasks.ts';

/** Entry point of the threads that save and read large maps; orangery.db has been migrated by then. */
if (parentPort === null) throw new Error('map-worker runs as a worker thread only');
const port = parentPort;
const { file, turns } = workerData as MapWorkerData; // given by MapRunner
const db = openAsItCan(file, orangeryMigrations);

let isAsked = false;

/**
 * The server's thread grants the turns, and none while it waits for the lock itself. Each turn is requested while the
 * previous one is in use, so that on a busy machine the save does not wait for that thread; others wait for at most two
 * turns.
 */
function inTurn<Result>(granted: Int32Array, work: () => Result): Result {
  if (!isAsked) port.postMessage(askMessage);
  Atomics.wait(granted, 0, 0);
  Atomics.store(granted, 0, 0);
  port.postMessage(askMessage);
  isAsked = true;
  return transactor(db)(work);
}

/** Pages of its log that are merged at once; by then most of them have been overwritten. */
const checkpointPages = 4_000;
/** This thread may wait for the lock, whoever holds it. */
const lockWaitMs = 5_000;
function setUp(): void {
  db.pragma(`busy_timeout = ${lockWaitMs}`);
  if (turns !== undefined) db.pragma(`wal_autocheckpoint = ${checkpointPages}`);
}
setUp();
onceWriting(db, setUp); // on another connection then

/** Others write between two turns: long enough for the save to progress, short enough for a person who waits. */
const slices = turns && { least: 1_000, length_ms: 6, turn: <Result>(work: () => Result) => inTurn(turns, work) };
const own = mapStore(db, slices);
serveTasks(port, {
  own,
  tasks: mapTasks,
  before: () => {
    recoverWriting(db);
    dropAllPending(own); // throws what the disk says: with them the map takes no other save
  },
  close: () => db.close(),
});
