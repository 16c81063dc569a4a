import { directoryOf, environment, readLine, UsageError, type Answer, type Command, type Options } from './asked.ts';
import type { Terminal } from '../commands/terminal.ts';

export const transferCommands = {
  export: exportFile,
  import: importFile,
} satisfies Record<string, Command>;

async function exportFile(given: Options, terminal: Terminal): Promise<Answer> {
  const { exportDevices } = await import('../commands/transfer.ts');
  const file = await exportDevices(await serviceAsked(given, terminal));
  return { lines: [JSON.stringify(file, null, 2)], data: file };
}

async function importFile(given: Options, terminal: Terminal, operand: string): Promise<Answer> {
  if (operand === '') throw new UsageError('import needs the name of a file');
  const { importDevices } = await import('../commands/transfer.ts');
  const isDry = given['dry-run'] === true;
  const { report, left_out } = await importDevices(await serviceAsked(given, terminal), { file: operand, isDry });
  const { made, refused } = report;
  const lines = [
    ...made.map(({ kind, name, without }) => {
      const missing = without.length === 0 ? '' : ` (enter again: ${without.join(', ')})`;
      return `${isDry ? 'would make' : 'made'}  ${kind} ${name}${missing}`;
    }),
    ...refused.map(({ kind, name, message }) => `refused  ${kind} ${name}: ${message}`),
    ...left_out.map(({ table, name, why }) => `left out  ${table} ${name}: ${why}`),
    `${made.length} ${isDry ? 'would be made' : 'made, none of them activated'}, ${refused.length} refused`,
  ];
  const fault = `${refused.length} of ${made.length + refused.length} could not be taken`;
  return { lines, data: { ...report, left_out }, ...(refused.length > 0 && { fault }) };
}

async function serviceAsked(given: Options, terminal: Terminal) {
  const key = given['key-stdin'] === true ? await readLine(terminal) : terminal.env['ORANGERY_API_KEY'];
  if (!key) throw new UsageError('an API key is needed: --key-stdin, or ORANGERY_API_KEY');
  const { host, httpsPort: port } = environment(given, terminal);
  return { directory: directoryOf(given, terminal), host, port, key };
}
