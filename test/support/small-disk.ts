import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';

const blockBytes = 4_096;

const mounted: string[] = [];

afterEach(() => {
  for (const folder of mounted.splice(0)) {
    execFileSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A disk of its own for the running test, in memory; gone after it. */
export interface SmallDisk {
  /** An empty folder on it. */
  folder: string;
  /** Writes until nothing more fits, as another program would. */
  fill: () => void;
  /** Takes that away again. */
  free: () => void;
  /** Makes the whole disk read-only, or writable again, also under open files that only read. */
  setReadOnly: (isReadOnly: boolean) => void;
}

/** Whether this process may mount: elsewhere the tests of full and read-only disks do not run. */
export const canMount = ((): boolean => {
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
})();

export function smallDisk(size_mb = 32): SmallDisk {
  const disk = mkdtempSync(join(tmpdir(), 'orangery-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size_mb}m`, 'tmpfs', disk]);
  mounted.push(disk);
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

/** Linux refuses while a file is open for writing; those of a process that was killed are not. */
function remount(disk: string, mode: 'ro' | 'rw'): void {
  execFileSync('mount', ['-o', `remount,${mode}`, disk]);
}
