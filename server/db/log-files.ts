import { join } from 'node:path';

/** Full files of each program's log that stay. */
export const keptLogs = 4;
/** One file of a log: five of them hold days of a house that is well, and are read in a moment. */
export const mostLogBytes = 1_000_000;

/** Where a program of the service writes its log. */
export function logFile(directory: string, program: 'service' | 'daemon'): string {
  return join(directory, 'logs', `${program}.log`);
}
