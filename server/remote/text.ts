import { serializeError, tooLarge } from './exception.ts';

/** The deepest nesting that either serializer reads or writes; it limits recursion over foreign input. */
export const maxDepth = 100;

/** Counts the values of a text while it is read: a short one may hold a great many. */
export class ReadingCost {
  readonly #most: number;
  #spent = 0;

  /** Maximum values, keys, escapes and comments. */
  constructor(most = Infinity) {
    this.#most = most;
  }

  /** Throws RemoteError `too_large` beyond the limit. */
  spend(): void {
    this.#spent += 1;
    if (this.#spent > this.#most) throw tooLarge(`message of more than ${this.#most} values`);
  }
}

/** The text of a payload. Throws RemoteError `serialize_error` unless it is UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw serializeError('payload is not UTF-8 text', { cause });
  }
}
