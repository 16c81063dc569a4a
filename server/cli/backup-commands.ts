import { directoryOf, readLine, UsageError, type Answer, type Command, type Options } from './asked.ts';
import type { Terminal } from '../commands/terminal.ts';

export const backupCommands = {
  backup: makeBackup,
  'backup list': listBackups,
  'backup check': checkBackup,
  restore: restoreBackup,
} satisfies Record<string, Command>;

async function makeBackup(given: Options, terminal: Terminal): Promise<Answer> {
  const { backUp } = await import('../commands/backup.ts');
  const made = await backUp(await backupAsked(given, terminal));
  const without = made.left_out.map(({ part, message }) => `without ${part}: ${message}`);
  return {
    lines: [`${made.file}: ${made.bytes} bytes, restored into a scratch folder and found sound`, ...without],
    data: made,
  };
}

async function listBackups(given: Options, terminal: Terminal): Promise<Answer> {
  const { backupsOf } = await import('../commands/backup.ts');
  const backups = await backupsOf({ directory: directoryOf(given, terminal), folder: given.folder });
  const lines = backups.map(({ file, bytes, check }) => {
    const state = check === null ? 'never checked' : (check.fault?.message ?? `sound on ${check.at}`);
    return `${file}  ${bytes} bytes  ${state}`;
  });
  return { lines, data: { backups } };
}

async function checkBackup(given: Options, terminal: Terminal, file: string): Promise<Answer> {
  if (file === '') throw new UsageError('backup check needs the name of a file');
  const { check } = await import('../commands/backup.ts');
  await check(await backupAsked(given, terminal), file);
  return { lines: [`${file}: restored into a scratch folder and found sound`], data: { file, fault: null } };
}

async function restoreBackup(given: Options, terminal: Terminal, operand: string): Promise<Answer> {
  const [isNewest, isUndo] = [given.newest === true, given.undo === true];
  if ([operand !== '', isNewest, isUndo].filter(Boolean).length !== 1)
    throw new UsageError('restore needs the name of a file, --newest or --undo');
  const { restore, undoLastRestore } = await import('../commands/backup.ts');
  const asked = await backupAsked(given, terminal);
  const lines = isUndo
    ? await undoLastRestore(asked)
    : await restore(asked, { file: isNewest ? undefined : operand, history: given.history === true });
  return { lines, data: { done: lines } };
}

async function backupAsked(given: Options, terminal: Terminal) {
  const passphrase = given['passphrase-stdin'] === true ? await readLine(terminal) : undefined;
  return { directory: directoryOf(given, terminal), folder: given.folder, passphrase };
}
