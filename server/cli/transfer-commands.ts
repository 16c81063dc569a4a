import type { Importable } from '../commands/transfer.ts';
import type { Terminal } from '../commands/terminal.ts';
import { directoryOf, environment, readLine, UsageError, type Answer, type Command, type Options } from './asked.ts';

export const transferCommands = {
  export: exportFile,
  import: importFile,
} satisfies Record<string, Command>;

async function exportFile(given: Options, terminal: Terminal, operand: string): Promise<Answer> {
  const what = operand || 'devices';
  if (what !== 'devices' && what !== 'site') throw new UsageError('export needs one of devices, site');
  const { exportFrom } = await import('../commands/transfer.ts');
  const file = await exportFrom(await serviceAsked(given, terminal), what);
  return { lines: [JSON.stringify(file)], data: file };
}

async function importFile(given: Options, terminal: Terminal, operand: string): Promise<Answer> {
  if (operand === '') throw new UsageError('import needs the name of a file');
  const { readImport } = await import('../commands/transfer.ts');
  const read = readImport(operand);
  if ('site' in read) return takeSite(read, given, terminal);
  if (given.copies === true || given['replace-settings'] === true) {
    throw new UsageError('--copies and --replace-settings are for the file of a whole site');
  }
  return takeDevices(read, given, terminal);
}

type FileOf<Member extends string> = Extract<Importable, Record<Member, unknown>>;

async function takeDevices(read: FileOf<'devices'>, given: Options, terminal: Terminal): Promise<Answer> {
  const { importDevices } = await import('../commands/transfer.ts');
  const isDry = given['dry-run'] === true;
  const { report, left_out } = await importDevices(await serviceAsked(given, terminal), read, { isDry });
  const lines = [
    ...report.made.map((one) => madeLine(one, isDry)),
    ...report.refused.map(refusedLine),
    ...left_out.map(({ table, name, why }) => `left out  ${table} ${name}: ${why}`),
    sumOf(report, isDry),
  ];
  return { lines, data: { ...report, left_out }, ...faultOf(report) };
}

async function takeSite(read: FileOf<'site'>, given: Options, terminal: Terminal): Promise<Answer> {
  const { importSite } = await import('../commands/transfer.ts');
  const isDry = given['dry-run'] === true;
  const report = await importSite(await serviceAsked(given, terminal), read, {
    dry_run: isDry,
    copies: given.copies === true,
    replace_settings: given['replace-settings'] === true,
  });
  const settingWords = { taken: isDry ? 'would take' : 'took', kept: 'kept as it is here', refused: 'refused' };
  const lines = [
    ...report.made.map((one) => madeLine(one, isDry)),
    ...report.kept.map(
      ({ kind, name, is_same }) => `is here  ${kind} ${name}${is_same ? '' : ' (differs from the file)'}`,
    ),
    ...report.refused.map(refusedLine),
    ...report.settings.map(
      ({ path, outcome, message }) =>
        `${settingWords[outcome]}  setting ${path}${message === null ? '' : `: ${message}`}`,
    ),
    sumOf(report, isDry),
  ];
  return { lines, data: report, ...faultOf(report) };
}

interface Counted {
  made: readonly unknown[];
  refused: readonly unknown[];
}

function madeLine({ kind, name, without }: { kind: string; name: string; without: string[] }, isDry: boolean): string {
  const missing = without.length === 0 ? '' : ` (enter again: ${without.join(', ')})`;
  return `${isDry ? 'would make' : 'made'}  ${kind} ${name}${missing}`;
}

function refusedLine({ kind, name, message }: { kind: string; name: string; message: string }): string {
  return `refused  ${kind} ${name}: ${message}`;
}

function sumOf({ made, refused }: Counted, isDry: boolean): string {
  return `${made.length} ${isDry ? 'would be made' : 'made, none of them activated'}, ${refused.length} refused`;
}

function faultOf({ made, refused }: Counted): Pick<Answer, 'fault'> {
  if (refused.length === 0) return {};
  return { fault: `${refused.length} of ${made.length + refused.length} could not be taken` };
}

async function serviceAsked(given: Options, terminal: Terminal) {
  const key = given['key-stdin'] === true ? await readLine(terminal) : terminal.env['ORANGERY_API_KEY'];
  if (!key) throw new UsageError('an API key is needed: --key-stdin, or ORANGERY_API_KEY');
  const { host, httpsPort: port } = environment(given, terminal);
  return { directory: directoryOf(given, terminal), host, port, key };
}
