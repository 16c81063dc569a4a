import { parentPort, workerData } from 'node:worker_threads';
import { orangeryMigrations } from '../../db/migrations/orangery.ts';
import { openAsItCan } from '../../db/open.ts';
import { recoverWriting } from '../../db/recovering.ts';
import { mapStore } from './store.ts';
import { mapTasks } from './tasks.ts';
import { serveTasks } from '../../worker/host.ts';

/** Entry of the thread that saves and reads large maps; workerData is the path of orangery.db, which is migrated by then. */
if (parentPort === null) throw new Error('map-worker runs as a worker thread only');
const db = openAsItCan(String(workerData), orangeryMigrations);
serveTasks(parentPort, {
  own: mapStore(db),
  tasks: mapTasks,
  before: () => void recoverWriting(db),
  close: () => db.close(),
});
