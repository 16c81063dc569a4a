import { checkBackup, makeBackup } from './make.ts';
import { stageFormer, stageRestore } from './restore.ts';

/** What runs in a thread of its own: compressing, enciphering and looking through databases takes minutes. */
export const backupTasks = { make: makeBackup, check: checkBackup, stage: stageRestore, stageFormer };
export type BackupTasks = typeof backupTasks;

export type BackupOrder = {
  [Task in keyof BackupTasks]: { task: Task; asked: Parameters<BackupTasks[Task]>[0] };
}[keyof BackupTasks];
