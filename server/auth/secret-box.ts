import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../contract/code-of.ts';
import { messageOf } from '../contract/message-of.ts';

const algorithm = 'aes-256-gcm';
const keyLength = 32; // bytes
const nonceLength = 12; // bytes, NIST SP 800-38D, 8.2.2
const tagLength = 16; // bytes
const form = /^v1\.[A-Za-z0-9_-]+$/;

type Failure = 'secret_key_unusable' | 'secret_unreadable';

/** A sealed text cannot be opened, or the key file cannot be used; the message says what to do. */
class SecretBoxError extends Error {
  readonly code: Failure;

  constructor(code: Failure, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'SecretBoxError';
    this.code = code;
  }
}

/**
 * Encrypts what must be stored and read back (TOTP secrets, keys of providers) by AES-256-GCM with a key in a separate
 * file: a copy of a database or a backup alone reveals nothing. The first `seal` makes the file, mode 0600.
 */
export class SecretBox {
  readonly #keyFile: string;
  #known: Buffer | undefined;

  constructor(keyFile: string) {
    this.#keyFile = keyFile;
  }

  /**
   * A different text at every call. Throws `SecretBoxError`, or the file system's error when no key file can be made.
   */
  seal(text: string): string {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv(algorithm, this.#keyToSeal(), nonce, { authTagLength: tagLength });
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')}`;
  }

  /** Reverses `seal`. Throws `SecretBoxError` for a text that was changed or sealed with another key. */
  open(sealed: string): string {
    if (!form.test(sealed)) throw new SecretBoxError('secret_unreadable', 'a stored secret is not a sealed one');
    const bytes = Buffer.from(sealed.slice('v1.'.length), 'base64url');
    const nonce = bytes.subarray(0, nonceLength);
    const tag = bytes.subarray(nonceLength, nonceLength + tagLength);
    const key = this.#key();
    try {
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagLength }).setAuthTag(tag);
      const encrypted = bytes.subarray(nonceLength + tagLength);
      return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8');
    } catch (cause) {
      const message = `a stored secret was not sealed with ${this.#keyFile}: put that file back, or enter the secret again`;
      throw new SecretBoxError('secret_unreadable', message, cause);
    }
  }

  #keyToSeal(): Buffer {
    if (this.#known === undefined) makeKeyFile(this.#keyFile);
    return this.#key();
  }

  #key(): Buffer {
    this.#known ??= readKey(this.#keyFile);
    return this.#known;
  }
}

function readKey(file: string): Buffer {
  try {
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
    if (key.length !== keyLength) throw new RangeError(`it holds ${key.length} bytes, not ${keyLength}`);
    return key;
  } catch (cause) {
    const reason = messageOf(cause);
    const message = `${file} cannot be used (${reason}): put back the file that the stored secrets were sealed with`;
    throw new SecretBoxError('secret_key_unusable', message, cause);
  }
}

/** Whole or not at all, and never over an existing one: another process may make it at the same time. */
function makeKeyFile(file: string): void {
  const temporary = `${file}.${process.pid}.new`;
  const descriptor = openSync(temporary, 'w', 0o600);
  try {
    writeSync(descriptor, `${randomBytes(keyLength).toString('base64')}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  try {
    linkSync(temporary, file);
    syncFolder(dirname(file));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** A secret must not outlive its key in a power cut. Windows flushes names by itself and opens no folder. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
