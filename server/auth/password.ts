import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../contract/errors.ts';

/** Cost of scrypt: memory is 128 * N * r bytes (128 MiB by default). */
export interface ScryptCost {
  log2N: number;
  r: number;
  p: number;
}

const defaultCost: ScryptCost = { log2N: 17, r: 8, p: 1 };
const maxMemory = 192 * 1024 * 1024; // bytes
const queueLimit = 20;
const hashLength = 32; // bytes
const saltLength = 16; // bytes

interface Hashed extends ScryptCost {
  salt: Buffer;
  hash: Buffer;
}

/**
 * Hashes and checks passwords by scrypt (RFC 7914), one at a time: each needs 128 MiB and a core for about 0.4 s. While
 * 20 wait, more are refused with `rate_limited`.
 */
export class PasswordHasher {
  readonly #cost: ScryptCost;
  /** Used for an unknown account, so that it takes as long as a wrong password. */
  readonly #nobody: string;
  #waiting = 0;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(cost: ScryptCost = defaultCost) {
    this.#cost = cost;
    this.#nobody = format({ ...cost, salt: randomBytes(saltLength), hash: randomBytes(hashLength) });
  }

  /** The hash as text, with its salt and cost. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(saltLength);
    const hash = await this.#derive(password, { ...this.#cost, salt });
    return format({ ...this.#cost, salt, hash });
  }

  /** `stored` comes from `hash`, undefined for an unknown account: then false, after the same time. */
  async verify(password: string, stored: string | undefined): Promise<boolean> {
    const expected = parse(stored ?? this.#nobody);
    const actual = await this.#derive(password, expected);
    return timingSafeEqual(actual, expected.hash) && stored !== undefined;
  }

  async #derive(password: string, cost: ScryptCost & { salt: Buffer }): Promise<Buffer> {
    if (this.#waiting > queueLimit) {
      throw new Refusal('rate_limited', 'too many log-ins at the same time', { headers: { 'Retry-After': '10' } });
    }
    this.#waiting += 1;
    const result = this.#tail.then(() => derive(password, cost));
    this.#tail = result.catch(() => undefined); // the next in the queue does not fail with this one
    try {
      return await result;
    } finally {
      this.#waiting -= 1;
    }
  }
}

/** NFKC, so that two keyboards that compose a letter differently yield one password (NIST SP 800-63B, 3.1.1.2). */
function derive(password: string, { log2N, r, p, salt }: ScryptCost & { salt: Buffer }): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const options = { N: 2 ** log2N, r, p, maxmem: maxMemory };
  scrypt(password.normalize('NFKC'), salt, hashLength, options, (error, key) => {
    if (error) reject(error);
    else resolve(key);
  });
  return promise;
}

/** The PHC string format, as other password programs read it. */
function format({ log2N, r, p, salt, hash }: Hashed): string {
  return `$scrypt$ln=${log2N},r=${r},p=${p}$${unpadded(salt)}$${unpadded(hash)}`;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/={1,2}$/, '');
}

function parse(text: string): Hashed {
  const groups = /^\$scrypt\$ln=(?<ln>\d+),r=(?<r>\d+),p=(?<p>\d+)\$(?<salt>[^$]+)\$(?<hash>[^$]+)$/.exec(text)?.groups;
  if (groups === undefined) throw new Error('a stored password hash is not one of scrypt');
  return {
    log2N: Number(groups.ln),
    r: Number(groups.r),
    p: Number(groups.p),
    salt: Buffer.from(groups.salt ?? '', 'base64'),
    hash: Buffer.from(groups.hash ?? '', 'base64'),
  };
}
