import { parentPort, workerData } from 'node:worker_threads';
import { cadastreMigrations } from '../../db/migrations/cadastre.ts';
import { openDatabase } from '../../db/open.ts';
import { CadastreRepository } from '../../db/repositories/cadastre.ts';
import { serveTasks } from '../../worker/host.ts';
import { cadastreTasks } from './cadastre-tasks.ts';

/** Entry point of the thread that imports parcels; workerData is the path of cadastre.db. */
if (parentPort === null) throw new Error('cadastre-worker runs as a worker thread only');
const db = openDatabase(String(workerData), { migrations: cadastreMigrations });
serveTasks(parentPort, { own: new CadastreRepository(db), tasks: cadastreTasks, close: () => db.close() });
