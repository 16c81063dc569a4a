import { readFileSync } from 'node:fs';

export interface RecordedFrame {
  readonly name: string;
  readonly type: number;
  readonly flags: number;
  readonly seq: number;
  readonly serializer: number;
  readonly payload_text: string | null;
  readonly hex: string;
}

const folder = new URL('../../fixtures/pyro5-frames/', import.meta.url);

/** Messages recorded between Pyro5 and small peers. */
export const recordedFrames = read('frames.json') as readonly RecordedFrame[]; // the file's own form

/** Serpent texts that Python wrote, each beside the repr of its value. */
export const recordedValues = read('serpent-values.json') as readonly { python: string; serpent: string }[]; // the file's own form

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
}
