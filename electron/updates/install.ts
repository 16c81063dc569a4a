import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { decideBeforeUpdate, keepBeforeUpdate } from '../../server/backup/before-update.ts';
import { replaceFileSync, syncFile } from '../../server/db/replace-file.ts';
import { sha512Of } from './sha512.ts';

/** A program that was put in the place of another, and has not shown yet that it works. */
const pending = z.strictObject({
  from: z.string(),
  to: z.string(),
  /** Path of the AppImage. */
  program: z.string(),
  starts: z.int().min(0),
});
type Pending = z.infer<typeof pending>;

interface Installation {
  /** Of the updates. */
  folder: string;
  /** The data directory. */
  directory: string;
  /** That runs. */
  version: string;
}

/** A checked AppImage that is to take the place of another. */
export interface Ready {
  /** Path of its file. */
  staged: string;
  /** As it was signed. */
  sha512: string;
  /** Path of the AppImage that runs. */
  program: string;
  /** Its version. */
  to: string;
}

/** A start more than these without a service is one too many. */
const mostStarts = 2;

const formerOf = (program: string): string => `${program}.former`;
const fileIn = (folder: string): string => join(folder, 'pending.json');
const beforeIn = (folder: string): string => join(folder, 'before');

/**
 * Puts a staged AppImage in the place of the one that runs, after the service has stopped. At each moment there is a program at that path;
 * the former one and its configuration stay beside until the new one has shown that it works. Throws what the disk says, also where it has
 * changed what was staged.
 */
export async function install(at: Installation, { staged, sha512, program, to }: Ready): Promise<void> {
  keepBeforeUpdate(at.directory, beforeIn(at.folder));
  keep(at.folder, { from: at.version, to, program, starts: 0 });
  const fresh = `${program}.new`;
  try {
    await copyFile(staged, fresh);
    chmodSync(fresh, 0o755);
    syncFile(fresh);
    if ((await sha512Of(fresh)) !== sha512) throw new Error(`${staged} is not what was signed any more`);
    rmSync(formerOf(program), { force: true });
    await keepFormer(program);
    renameSync(fresh, program);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
  try {
    syncFile(dirname(program), 'r');
  } catch {
    // not every disk can: then the former one may be there again after a power cut
  }
}

/** Some disks have no second name for a file. */
async function keepFormer(program: string): Promise<void> {
  try {
    linkSync(program, formerOf(program));
  } catch {
    await copyFile(program, formerOf(program));
    chmodSync(formerOf(program), 0o755);
    syncFile(formerOf(program));
  }
}

/**
 * Counts the starts of a new program. After two without a service the former one comes back, with its databases where the new one has
 * migrated them: returns its path, to be started; null where nothing is to be done. Throws what the disk says.
 */
export function beginStart({ folder, directory, version }: Installation): string | null {
  const waiting = read(folder);
  if (waiting === undefined) return null;
  const { program, starts } = waiting;
  if (version !== waiting.to || !existsSync(formerOf(program))) {
    forget(folder, program); // it never took its place, or is back already
    return null;
  }
  if (starts < mostStarts) {
    keep(folder, { ...waiting, starts: starts + 1 });
    return null;
  }
  decideBeforeUpdate(directory, beforeIn(folder));
  renameSync(formerOf(program), program);
  rmSync(fileIn(folder));
  return program;
}

/** A person ended the start: it says nothing of the program. Throws what the disk says. */
export function excuseStart({ folder, version }: Omit<Installation, 'directory'>): void {
  const waiting = read(folder);
  if (waiting?.to !== version || waiting.starts === 0) return;
  keep(folder, { ...waiting, starts: waiting.starts - 1 });
}

/** The service runs: the former program is needed no more. */
export function confirmStart({ folder }: Pick<Installation, 'folder'>): void {
  const waiting = read(folder);
  if (waiting !== undefined) forget(folder, waiting.program);
}

function forget(folder: string, program: string): void {
  rmSync(fileIn(folder), { force: true });
  rmSync(formerOf(program), { force: true });
  rmSync(beforeIn(folder), { recursive: true, force: true });
}

function keep(folder: string, waiting: Pending): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  replaceFileSync(fileIn(folder), JSON.stringify(waiting));
}

function read(folder: string): Pending | undefined {
  try {
    return pending.parse(JSON.parse(readFileSync(fileIn(folder), 'utf8')));
  } catch {
    return undefined;
  }
}
