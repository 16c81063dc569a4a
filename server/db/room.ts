import { statfs } from 'node:fs/promises';

/** The rest of the program needs room too. */
const reserveBytes = 256 * 1024 * 1024;

/**
 * Whether the disk of a folder has room for `bytes` and stays usable. Rejects with the system's error about the folder.
 */
export async function hasRoom(folder: string, bytes: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize >= bytes + reserveBytes;
}
