import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../contract/message-of.ts';
import { openDatabase } from '../../db/open.ts';
import { saysDamaged } from '../../db/damaged-file.ts';

const mostFaults = 5;

/** The faults that SQLite finds in the pages of a file, line by line. */
function faultsOf(file: string): string[] {
  try {
    const db = openDatabase(file, { readonly: true });
    try {
      db.pragma('cache_size = -1024'); // each page is looked at once
      const lines = db.prepare<[], string>(`PRAGMA quick_check(${mostFaults})`).pluck().all();
      return lines.filter((line) => line !== 'ok');
    } finally {
      db.close();
    }
  } catch (error) {
    if (saysDamaged(error)) return [messageOf(error)];
    throw error; // that it cannot be opened now says nothing of its content
  }
}

parentPort?.postMessage(faultsOf(String(workerData)));
