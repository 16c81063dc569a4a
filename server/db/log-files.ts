import { join } from 'node:path';

/** Full log files of each program that are kept. */
export const keptLogs = 4;
/** Maximum bytes of one log file: five of them hold days of a healthy house, and are read in a moment. */
export const mostLogBytes = 1_000_000;

/** The log file of a program. */
export function logFile(directory: string, program: 'service' | 'daemon'): string {
  return join(directory, 'logs', `${program}.log`);
}
