import { parentPort, workerData } from 'node:worker_threads';
import { codeOf } from '../../contract/code-of.ts';
import { messageOf } from '../../contract/message-of.ts';
import type { WriteFailure, WriterAnswer, WriterTask } from './batch.ts';
import { saysDamaged } from '../../db/damaged-file.ts';
import { MeasurementFile } from './measurement-file.ts';

/** Opened by the first task, so that a failure to open is an answer and not the end of the thread. */
let file: MeasurementFile | undefined;

function answer(message: WriterAnswer): void {
  parentPort?.postMessage(message);
}

function openFile(): MeasurementFile {
  return new MeasurementFile(String(workerData), {
    failed: (error) => answer({ kind: 'failed', error: failureOf(error) }),
    salvaging: (aside) => answer({ kind: 'salvaging', aside }),
    salvaged: (message) => answer({ kind: 'salvaged', message }),
  });
}

function failureOf(error: unknown): WriteFailure {
  const message = messageOf(error);
  const code = codeOf(error) ?? 'write_failed';
  return { code, message, is_damaged: saysDamaged(error) };
}

function attempt(work: () => void): WriteFailure | null {
  try {
    work();
    return null;
  } catch (error) {
    return failureOf(error);
  }
}

/** Rollups that are not written yet are added at the next start. */
function close(): void {
  attempt(() => file?.close());
  parentPort?.close();
}

parentPort?.on('message', (task: WriterTask) => {
  if (task.kind === 'close') return close();
  const error = attempt(() => {
    file ??= openFile();
    if (task.kind === 'batch') file.store(task.batch);
    else if (task.kind === 'retain') file.retain(task);
  });
  if (task.kind === 'batch') answer({ kind: 'batch', id: task.batch.id, error });
  else if (error) answer({ kind: 'failed', error });
});
