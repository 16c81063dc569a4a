import { createHash, timingSafeEqual } from 'node:crypto';

/** What is stored of a random secret. SHA-256 is enough: nobody guesses 256 random bits. */
export function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Compares in a time that tells nothing of where two digests differ. */
export function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
