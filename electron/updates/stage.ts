import { appendFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { messageOf } from '../../server/contract/message-of.ts';
import { hasRoom } from '../../server/db/room.ts';
import { UpdateError, type UpdateFile } from './feed.ts';
import { sha512Of } from './sha512.ts';
import type { UpdateSource } from './source.ts';

interface Staging {
  source: Pick<UpdateSource, 'part'>;
  file: UpdateFile;
  /** Folder of the updates; files of other versions in it are removed. */
  folder: string;
  /** Path of a staged file that still waits to be installed: it is removed only once the new one is whole. */
  former: string | undefined;
  /** Called with the number of bytes fetched. */
  report: (bytes: number) => void;
}

const partBytes = 8 * 1024 * 1024;
const partialEnding = '.partial';

/**
 * Fetches a file of a signed feed in parts, continuing where it broke off, and checks it against the signed hash before
 * it gets its name. Returns its path. Throws UpdateError: unreachable, damaged, disk.
 */
export async function stage(staging: Staging): Promise<string> {
  const { file, folder, former } = staging;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeOthers(folder, [file.name, ...(former === undefined ? [] : [basename(former)])]);
    const staged = join(folder, file.name);
    const isThere = (await sizeOf(staged)) === file.bytes && (await sha512Of(staged)) === file.sha512;
    if (!isThere) await fetchFile(staging, staged);
    await removeOthers(folder, [file.name]);
    return staged;
  } catch (cause) {
    throw cause instanceof UpdateError ? cause : new UpdateError('disk', messageOf(cause), { cause });
  }
}

async function fetchFile({ source, file, folder, report }: Staging, staged: string): Promise<void> {
  const partial = `${staged}${partialEnding}`;
  let there = await sizeOf(partial);
  if (there > file.bytes) await rm(partial);
  there = Math.min(there, await sizeOf(partial));
  await refuseWithoutRoom(folder, file.bytes - there);
  while (there < file.bytes) {
    const part = await source.part(file.name, there, Math.min(partBytes, file.bytes - there));
    if (part.length === 0) throw new UpdateError('damaged', `${file.name} is shorter than it was signed`);
    await appendFile(partial, part, { mode: 0o600, flush: true });
    report((there += part.length));
  }
  if ((await sha512Of(partial)) !== file.sha512) {
    await rm(partial);
    throw new UpdateError('damaged', `${file.name} is not what was signed`);
  }
  await rename(partial, staged);
}

async function removeOthers(folder: string, names: readonly string[]): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  const isOwn = (name: string): boolean => name.endsWith('.json') || names.some((own) => name.startsWith(own));
  for (const { name } of entries.filter((one) => one.isFile() && !isOwn(one.name))) {
    await rm(join(folder, name), { force: true });
  }
}

async function refuseWithoutRoom(folder: string, bytes: number): Promise<void> {
  // Twice, because it exists a second time while it replaces the former one.
  if (!(await hasRoom(folder, 2 * bytes))) throw new UpdateError('disk', 'the disk has no room for the update');
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(({ size }) => size, () => 0); // prettier-ignore
}
