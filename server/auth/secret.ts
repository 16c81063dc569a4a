import { createHash, timingSafeEqual } from 'node:crypto';

/** What is stored of a random secret. SHA-256 is enough: 256 random bits cannot be guessed. */
export function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Compares in constant time. */
export function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
