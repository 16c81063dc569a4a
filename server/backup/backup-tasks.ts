import { checkBackup, makeBackup } from './make.ts';
import { stageFormer, stageRestore } from './restore.ts';

/** The tasks of the backup thread: compressing, encrypting and checking databases takes minutes. */
export const backupTasks = { make: makeBackup, check: checkBackup, stage: stageRestore, stageFormer };
export type BackupTasks = typeof backupTasks;

export type BackupOrder = {
  [Task in keyof BackupTasks]: { task: Task; asked: Parameters<BackupTasks[Task]>[0] };
}[keyof BackupTasks];
