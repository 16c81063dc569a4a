import { mostSaveBytes, type Feature } from '../../server/contract/overlay.ts';
import type { Delta } from './edit-buffer.ts';

/** For the ids and numbers around the features. */
const around = 64 * 1024;
const most = mostSaveBytes - around;
/** An id in quotes, with its comma. */
const idBytes = 39;

const encoder = new TextEncoder();

/** Bytes of features, or of a delta, as a save sends them. */
export function sizeOf(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length;
}

/** Whether one save can carry these features. */
export function fitsOneSave(features: readonly Feature[]): boolean {
  return sizeOf(features) <= most;
}

/** So much at once is soon saved, in 17 s at 1 Mbit/s, and the rest can still be called off. */
export const portionBytes = 2 * 1024 * 1024;

/** Features in portions to be saved one after the other, with rests; a feature that is larger is a portion alone. */
export function* portionsOf(features: readonly Feature[]): Generator<void, Feature[][]> {
  const portions: Feature[][] = [];
  let room = 0;
  for (const feature of features) {
    const bytes = sizeOf(feature) + 1;
    if (bytes > room) {
      portions.push([]);
      room = portionBytes;
    }
    portions.at(-1)?.push(feature);
    room -= bytes;
    yield;
  }
  return portions;
}

/**
 * As much of a delta as is soon saved. What is deleted comes first, as it may make room for what is added; a shape
 * that is more alone comes last, so that its refusal holds up nothing else.
 */
export function portionOf(delta: Delta): Delta {
  if (sizeOf(delta) <= portionBytes) return delta;
  let room = portionBytes - around - delta.deleted.length * idBytes;
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
