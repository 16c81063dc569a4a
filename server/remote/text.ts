import { serializeError } from './exception.ts';

/** The deepest nesting of containers that either serializer reads or writes; it bounds the recursion over foreign input. */
export const MAX_DEPTH = 100;

/** The text of a payload. Throws RemoteError `serialize_error` unless it is UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw serializeError('payload is not UTF-8 text', { cause });
  }
}
