import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { decideBeforeUpdate, keepBeforeUpdate } from '../../server/backup/before-update.ts';
import { replaceFileSync, syncFile } from '../../server/db/replace-file.ts';
import { sha512Of } from './sha512.ts';

/** A program that replaced another, and has not yet proven that it works. */
const pending = z.strictObject({
  from: z.string(),
  to: z.string(),
  /** Path of the AppImage. */
  program: z.string(),
  starts: z.int().min(0),
});
type Pending = z.infer<typeof pending>;

interface Installation {
  /** Folder of the updates. */
  folder: string;
  /** The data directory. */
  directory: string;
  /** The running version. */
  version: string;
}

/** A verified AppImage that is to replace another. */
export interface Ready {
  /** Path of its file. */
  staged: string;
  /** Its signed hash. */
  sha512: string;
  /** Path of the running AppImage. */
  program: string;
  /** Its version. */
  to: string;
}

/** Starts without a service after which the former program comes back. */
const mostStarts = 2;

const formerOf = (program: string): string => `${program}.former`;
const fileIn = (folder: string): string => join(folder, 'pending.json');
const beforeIn = (folder: string): string => join(folder, 'before');

/**
 * Replaces the running AppImage by a staged one, after the service has stopped. At every moment there is a program at
 * that path; the former one and its configuration are kept until the new one has proven that it works. Throws the
 * disk's error, also if the staged file has changed.
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
    // Not every disk can do this: then a power cut may bring the former one back.
  }
}

/** Some disks have no hard links. */
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
 * Counts the starts of a new program. After two without a service the former one comes back, with its databases if the
 * new one has migrated them: returns its path, to be started; null when there is nothing to do. Throws the disk's
 * error.
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

/** A person ended the start: it says nothing about the program. Throws the disk's error. */
export function excuseStart({ folder, version }: Omit<Installation, 'directory'>): void {
  const waiting = read(folder);
  if (waiting?.to !== version || waiting.starts === 0) return;
  keep(folder, { ...waiting, starts: waiting.starts - 1 });
}

/** The service runs: the former program is no longer needed. */
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
