import { Decrypter, Encrypter } from 'age-encryption';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { create, ReadEntry, UnpackSync } from 'tar';
import { codeOf } from '../contract/code-of.ts';
import { messageOf } from '../contract/message-of.ts';
import { BackupError } from './backup-error.ts';

interface Packing {
  /** Folder of the files; only the named ones go into the archive. */
  folder: string;
  names: readonly string[];
  /** Must not exist yet. */
  file: string;
  passphrase: string | null;
}

interface Unpacking {
  file: string;
  /** Empty, and private to its owner. */
  folder: string;
  /** What it may contain; anything else is skipped. */
  names: readonly string[];
  mostBytes: number;
  passphrase: string | null;
}

/** First bytes of an age file (age-encryption.org/v1). */
const ageMark = 'age-encryption.org/';
/** First bytes of a gzip file (RFC 1952, 2.3.1). */
const gzipMark = '\u001F\u008B';
/** 2^17: each guess costs 128 MB and a second on a small machine. */
const scryptWorkFactor = 17;

/**
 * Writes files into a gzipped tar, and that into an age file if there is a passphrase: other programs can open both. It
 * is on disk when this resolves.
 */
export async function pack({ folder, names, file, passphrase }: Packing): Promise<void> {
  const packed = Readable.from(create({ cwd: folder, gzip: true, portable: true, strict: true }, [...names]));
  const source = passphrase === null ? packed : await encrypted(packed, passphrase);
  await pipeline(source, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }));
}

/** Whether a file is encrypted, by its first bytes. Throws the system's error. */
export async function isEncrypted(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(ageMark.length));
    return buffer.toString('latin1', 0, bytesRead) === ageMark;
  } finally {
    await handle.close();
  }
}

/** Whether the first bytes of a file are those of a backup, encrypted or not. */
export function startsAsBackup(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.subarray(0, ageMark.length)).toString('latin1');
  return text === ageMark || text.startsWith(gzipMark);
}

/**
 * Extracts the named files from an archive; blocks its thread while writing, so that nothing is written after a
 * failure. Throws BackupError: passphrase_needed, wrong_passphrase, not_a_backup, damaged.
 */
export async function unpack(asked: Unpacking): Promise<void> {
  const plain = await plainOf(asked);
  const unpacking = new UnpackSync({ cwd: asked.folder, strict: true, filter: limited(asked) });
  const failures: unknown[] = [];
  unpacking.on('error', (error) => failures.push(error));
  try {
    for await (const chunk of plain) {
      unpacking.write(chunk as Buffer); // a stream of bytes
      if (failures.length > 0) throw failures[0];
    }
    unpacking.end();
    if (failures.length > 0) throw failures[0];
  } catch (error) {
    throw told(error);
  }
}

/** Only named files, within the size limit: an archive states each size before its bytes. */
function limited({ names, mostBytes }: Unpacking): (path: string, entry: object) => boolean {
  let left = mostBytes;
  return (path, entry) => {
    if (!names.includes(path) || !(entry instanceof ReadEntry) || entry.type !== 'File') return false;
    left -= entry.size;
    if (left < 0)
      throw new BackupError(
        'disk_full',
        `unpacked it needs more than the ${(mostBytes / 1e6).toFixed(0)} MB that are free`,
      );
    return true;
  };
}

async function plainOf({ file, passphrase }: Unpacking): Promise<Readable> {
  if (!(await isEncrypted(file))) return createReadStream(file);
  if (passphrase === null)
    throw new BackupError('passphrase_needed', 'the backup is encrypted: it needs its passphrase');
  const source = createReadStream(file);
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return fromWeb(await decrypter.decrypt(toWeb(source)));
  } catch (cause) {
    source.destroy();
    throw new BackupError('wrong_passphrase', 'the passphrase does not open this backup', { cause });
  }
}

async function encrypted(source: Readable, passphrase: string): Promise<Readable> {
  const encrypter = new Encrypter();
  encrypter.setScryptWorkFactor(scryptWorkFactor);
  encrypter.setPassphrase(passphrase);
  return fromWeb(await encrypter.encrypt(toWeb(source)));
}

/** Disk errors stay as they are; all others are what a damaged file leads to. */
function told(error: unknown): unknown {
  if (error instanceof BackupError) return error;
  const code = codeOf(error) ?? '';
  if (/^E[A-Z]+$/.test(code)) return error;
  return new BackupError('damaged', `the file is damaged: ${messageOf(error)}`, { cause: error });
}

// The same streams by two declarations, of Node and of the browser: where only one is in sight, the assertions look
// needless.
// oxlint-disable typescript/no-unnecessary-type-assertion
const toWeb = (stream: Readable): globalThis.ReadableStream<Uint8Array> =>
  Readable.toWeb(stream) as unknown as globalThis.ReadableStream<Uint8Array>;
const fromWeb = (stream: globalThis.ReadableStream<Uint8Array>): Readable =>
  Readable.fromWeb(stream as unknown as ReadableStream<Uint8Array>);
