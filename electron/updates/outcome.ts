import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { replaceFileSync } from '../../server/db/replace-file.ts';

/** How an update ended that is not the running version; kept for the next start to report. */
const outcome = z.strictObject({
  kind: z.enum(['waits', 'failed', 'taken_back']).describe('waits: it is staged, and takes its place at the end'),
  version: z.string(),
  reason: z.string(),
});
export type Outcome = z.infer<typeof outcome>;

const fileIn = (folder: string): string => join(folder, 'outcome.json');

/** Throws the disk's error. */
export function keepOutcome(folder: string, ended: Outcome): void {
  replaceFileSync(fileIn(folder), JSON.stringify(ended));
}

/** undefined when there is nothing to report. */
export function readOutcome(folder: string): Outcome | undefined {
  try {
    return outcome.parse(JSON.parse(readFileSync(fileIn(folder), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Throws the disk's error. */
export function forgetOutcome(folder: string): void {
  rmSync(fileIn(folder), { force: true });
}
