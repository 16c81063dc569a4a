import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { codeOf } from '../contract/code-of.ts';

const ownerOnly = 0o600;

/** Replaces a file with a text, private to its owner: whatever happens, either the old one is there or the new one. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const fresh = freshName(file);
  try {
    const handle = await open(fresh, 'w', ownerOnly);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(fresh, file);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

/** The same synchronously, for a start and an end. */
export function replaceFileSync(file: string, text: string): void {
  const fresh = freshName(file);
  try {
    const descriptor = openSync(fresh, 'w', ownerOnly);
    try {
      writeSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

/** Whether a name belongs to an unfinished replacement of a process that has ended since: it will never be used. */
export function isOrphan(name: string): boolean {
  const [, pid] = /\.(\d{1,10})\.\d{1,10}\.new$/.exec(name) ?? [];
  return pid !== undefined && !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Returns once a file is on disk; with `r`, a folder and the names in it. */
export function syncFile(path: string, flags: 'r' | 'r+' = 'r+'): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

let count = 0;

function freshName(file: string): string {
  count += 1;
  return `${file}.${process.pid}.${count}.new`;
}
