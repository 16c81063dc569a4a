import { mostSaveBytes, type Feature } from '../../server/contract/overlay.ts';
import type { Delta } from './edit-buffer.ts';

/** For the ids and numbers around the features. */
const around = 64 * 1024;
const most = mostSaveBytes - around;
/** An id in quotes, with its comma. */
const idBytes = 39;

/** Bytes of features as a save sends them. */
function sizeOf(value: unknown): number {
  return new Blob([JSON.stringify(value)]).size;
}

/** Whether one save can carry these features. */
export function fitsOneSave(features: readonly Feature[]): boolean {
  return sizeOf(features) <= most;
}

/**
 * As much of a delta as one save can carry. What is deleted comes first, as it may make room for what is added; a shape
 * that is too much alone comes last, so that its refusal holds up nothing else.
 */
export function portionOf(delta: Delta): Delta {
  if (sizeOf(delta) <= most) return delta;
  let room = most - delta.deleted.length * idBytes;
  const taken = (features: readonly Feature[]): Feature[] =>
    features.filter((feature) => {
      const bytes = sizeOf(feature) + 1;
      if (bytes > room) return false;
      room -= bytes;
      return true;
    });
  const portion = { ...delta, modified: taken(delta.modified), added: taken(delta.added) };
  if (portion.deleted.length + portion.modified.length + portion.added.length > 0) return portion;
  const [modified] = delta.modified;
  return { ...portion, ...(modified === undefined ? { added: delta.added.slice(0, 1) } : { modified: [modified] }) };
}
