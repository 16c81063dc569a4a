import { rmSync } from 'node:fs';
import { messageOf } from '../contract/message-of.ts';

/** Removes a file or folder. Returns a line when it cannot: mere tidying must not fail a start. */
export function removed(path: string): string[] {
  try {
    rmSync(path, { recursive: true, force: true });
    return [];
  } catch (error) {
    return [`${path} could not be removed: ${messageOf(error)}`];
  }
}
