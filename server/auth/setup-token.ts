import { randomBytes } from 'node:crypto';
import { digest, isSame } from './secret.ts';

/** Proves that whoever makes the first administrator sees this machine's console. Lives as long as the process. */
export class SetupToken {
  /** 192 random bits in 32 characters that need no escaping. */
  readonly value = randomBytes(24).toString('base64url');
  readonly #digest = digest(this.value);

  matches(candidate: string): boolean {
    return isSame(digest(candidate.trim()), this.#digest);
  }
}
