import type { Terminal } from '../commands/terminal.ts';
import { directoryOf, environment, readLine, UsageError, type Answer, type Command, type Options } from './asked.ts';

export const historyCommands = {
  'measurements import': importMeasurements,
} satisfies Record<string, Command>;

async function importMeasurements(given: Options, terminal: Terminal, file: string): Promise<Answer> {
  const { influx: url, database = 'mycodo_db' } = given;
  if (file === '' || url === undefined) throw new UsageError('measurements import needs a file and --influx URL');
  const { importHistory } = await import('../commands/history.ts');
  const authorization = await influxAuthorization(given, terminal);
  const done = await importHistory({
    directory: directoryOf(given, terminal),
    daemonPort: environment(given, terminal).daemonPort,
    file,
    source: { url, database, ...(authorization !== null && { authorization }) },
    report: (name, stored) => {
      if (given.json !== true) terminal.stderr(`${name}: ${stored} samples so far`);
    },
  });
  const lines = [
    ...done.taken.map(({ name, stored }) => `took  ${name}: ${stored} samples`),
    ...done.left_out.map(({ name, why }) => `left out  ${name}: ${why}`),
  ];
  const refused = done.taken.reduce((sum, one) => sum + one.refused, 0);
  return { lines, data: done, ...(refused > 0 && { fault: `${refused} samples were refused` }) };
}

/** InfluxDB 1 takes name and password, 2 a token; null when none is given. */
async function influxAuthorization(given: Options, terminal: Terminal): Promise<string | null> {
  const username = given['influx-username'];
  if (given['influx-password-stdin'] !== true) return null;
  const secret = await readLine(terminal);
  if (username === undefined) return `Token ${secret}`;
  return `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`;
}
