import pino, { type Logger } from 'pino';
import { openLogFile, openStandardError } from './log-destination.ts';
import { withoutSecrets } from './log-secrets.ts';

interface LogPlace {
  /** The data directory, which keeps the last lines; without it only standard error is used. */
  directory?: string;
  /** Writes nothing to standard error. */
  isQuiet?: boolean;
}

/** The log of the program, on standard error and in a rotating file. Secrets are removed from each line. */
export function openLog(level: string, { directory, isQuiet = false }: LogPlace = {}): Logger {
  const places = [
    ...(isQuiet ? [] : [openStandardError()]),
    ...(directory === undefined ? [] : [openLogFile(directory, 'service')]),
  ];
  const write = (line: string): void => {
    const safe = withoutSecrets(line);
    for (const place of places) place.write(safe);
  };
  process.once('exit', () => places.forEach((place) => place.end()));
  return pino({ level }, { write });
}
