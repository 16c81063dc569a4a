import { Decrypter, Encrypter } from 'age-encryption';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { create, ReadEntry, UnpackSync } from 'tar';
import { messageOf } from '../contract/message-of.ts';
import { BackupError } from './backup-error.ts';

interface Packing {
  /** Holds the files; nothing of it goes into the archive but what is named. */
  folder: string;
  names: readonly string[];
  /** Must not be there yet. */
  file: string;
  passphrase: string | null;
}

interface Unpacking {
  file: string;
  /** Empty, for their owner alone. */
  folder: string;
  /** What may be in it; anything else is passed over. */
  names: readonly string[];
  mostBytes: number;
  passphrase: string | null;
}

/** First bytes of a file of age (age-encryption.org/v1). */
const ageMark = 'age-encryption.org/';
/** First bytes of a gzip file (RFC 1952, 2.3.1). */
const gzipMark = '\u001F\u008B';
/** 2^17: 128 MB and a second of a small machine for each guess. */
const scryptWorkFactor = 17;

/** Writes files into a gzipped tar, in an age file where there is a passphrase: other programs open both. It is on the disk when this resolves. */
export async function pack({ folder, names, file, passphrase }: Packing): Promise<void> {
  const packed = Readable.from(create({ cwd: folder, gzip: true, portable: true, strict: true }, [...names]));
  const source = passphrase === null ? packed : await encrypted(packed, passphrase);
  await pipeline(source, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }));
}

/** Whether a file is encrypted, by its first bytes. Throws what the system says. */
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
 * Takes the named files out of an archive; holds up its thread while it writes, so that nothing is written after it failed. Throws BackupError:
 * passphrase_needed, wrong_passphrase, not_a_backup, damaged.
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

/** Files by name, together no larger than allowed: an archive says each size before the bytes come. */
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

/** What the disk says stays what it is; the rest is what the bytes of a damaged file lead to. */
function told(error: unknown): unknown {
  if (error instanceof BackupError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^E[A-Z]+$/.test(code)) return error;
  return new BackupError('damaged', `the file is damaged: ${messageOf(error)}`, { cause: error });
}

// The same streams by two declarations, of Node and of the browser: where only one is in sight, the assertions look needless.
// oxlint-disable typescript/no-unnecessary-type-assertion
const toWeb = (stream: Readable): globalThis.ReadableStream<Uint8Array> =>
  Readable.toWeb(stream) as unknown as globalThis.ReadableStream<Uint8Array>;
const fromWeb = (stream: globalThis.ReadableStream<Uint8Array>): Readable =>
  Readable.fromWeb(stream as unknown as ReadableStream<Uint8Array>);
