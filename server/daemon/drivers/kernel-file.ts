import { readFile } from 'node:fs/promises';
import { deviceSays } from '../../contract/device-words.ts';
import { DriverError } from './driver.ts';

/**
 * The text of a file that the kernel generates on reading. Throws DriverError: `unreachable` when it is missing or not
 * readable, `bad_answer` when the kernel could not get the value (EIO), `timed_out` when the signal came first.
 */
export async function readKernelFile(path: string, signal: AbortSignal): Promise<string> {
  try {
    return await readFile(path, { encoding: 'latin1', signal });
  } catch (cause) {
    if (signal.aborted) throw new DriverError('timed_out', deviceSays('file_late', { path }), { cause });
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT') throw new DriverError('unreachable', deviceSays('no_file', { path }), { cause });
    if (code === 'EIO') throw new DriverError('bad_answer', deviceSays('kernel_unread', { path }), { cause });
    throw new DriverError('unreachable', cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
