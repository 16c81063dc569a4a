import { readFile } from 'node:fs/promises';
import { DriverError } from './driver.ts';

/**
 * The text of a file that the kernel makes as it is read. Throws DriverError: `unreachable` where there is none or it may not be read,
 * `bad_answer` where the kernel could not get what it stands for (EIO), `timed_out` when the signal came first.
 */
export async function readKernelFile(path: string, signal: AbortSignal): Promise<string> {
  try {
    return await readFile(path, { encoding: 'latin1', signal });
  } catch (cause) {
    if (signal.aborted) throw new DriverError('timed_out', `${path} could not be read in time`, { cause });
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT') throw new DriverError('unreachable', `there is no ${path}`, { cause });
    if (code === 'EIO') throw new DriverError('bad_answer', `the kernel cannot read ${path}`, { cause });
    throw new DriverError('unreachable', cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
