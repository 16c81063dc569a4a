import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readlinkSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterTest } from './cleanup.ts';

const blockBytes = 4_096;

/** A disk in memory for the running test, removed after it. */
export interface SmallDisk {
  /** An empty folder on it. */
  folder: string;
  /** Fills it until nothing more fits, like another program would. */
  fill: () => void;
  /** Removes that again. */
  free: () => void;
  /** Makes the whole disk read-only, or writable again, even while files are open for reading. */
  setReadOnly: (isReadOnly: boolean) => void;
}

/** Whether this process may mount. If not, the tests of full and read-only disks are skipped, and say so. */
export const canMount = ((): boolean => {
  const may = mayMount();
  if (!may) process.stderr.write('skipped for want of the right to mount: tests of full and read-only disks\n');
  return may;
})();

function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'orangery-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Limits the size of each file that the processes write; null removes the limit. */
export function limitFiles(pids: readonly number[], bytes: number | null): void {
  for (const pid of pids) execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes ?? 'unlimited'}:unlimited`]);
}

export function smallDisk(size_mb = 32): SmallDisk {
  const disk = mkdtempSync(join(tmpdir(), 'orangery-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size_mb}m`, 'tmpfs', disk]);
  afterTest(() => {
    execFileSync('umount', ['--lazy', disk]);
    rmSync(disk, { recursive: true, force: true });
  });
  const folder = join(disk, 'data');
  mkdirSync(folder, { mode: 0o700 });
  const ballast = join(disk, 'ballast');
  return {
    folder,
    fill: () => fill(ballast),
    free: () => rmSync(ballast, { force: true }),
    setReadOnly: (isReadOnly) => remount(disk, isReadOnly ? 'ro' : 'rw'),
  };
}

function fill(file: string): void {
  const descriptor = openSync(file, 'a');
  const block = Buffer.alloc(blockBytes, 1);
  try {
    for (;;) writeSync(descriptor, block);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Linux refuses while a file is open for writing; a killed process closes its files a moment after it is gone. */
function remount(disk: string, mode: 'ro' | 'rw'): void {
  const giveUpAt = performance.now() + 5_000;
  for (;;) {
    try {
      return void execFileSync('mount', ['-o', `remount,${mode}`, disk], { stdio: 'pipe' });
    } catch (error) {
      if (performance.now() > giveUpAt) throw new Error(`open: ${openFiles(disk)}`, { cause: error });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
  }
}

/** Which processes have which files open there, for the message of a test that cannot continue. */
function openFiles(disk: string): string {
  const found = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => filesOf(pid, disk));
  return found.join(', ');
}

function filesOf(pid: string, disk: string): string[] {
  try {
    const files = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
    return files.filter((file) => file.startsWith(disk)).map((file) => `${pid} ${file}`);
  } catch {
    return []; // it has just ended
  }
}
