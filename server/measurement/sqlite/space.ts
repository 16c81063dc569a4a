import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { StoreSpace } from '../store.ts';

/** Rejects with the system's error. */
export async function spaceOf(file: string): Promise<StoreSpace> {
  const sizeOf = (name: string): Promise<number> =>
    stat(name).then(
      ({ size }) => size,
      () => 0, // not there yet
    );
  const [database, wal, { bavail, bsize }] = await Promise.all([
    sizeOf(file),
    sizeOf(`${file}-wal`),
    statfs(dirname(file)),
  ]);
  return { database_bytes: database + wal, free_bytes: bavail * bsize };
}
