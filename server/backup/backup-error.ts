import type { BackupFault } from '../contract/backup.ts';
import { messageOf } from '../contract/message-of.ts';
import { saysDamaged } from '../db/damaged-file.ts';
import { storageFaultOf } from '../db/storage-fault.ts';
import { OutboundError } from '../outbound/outbound-error.ts';

type BackupFaultCode = BackupFault['code'];

/** Why a backup could not be made, checked or restored; the message is one line for people. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
  readonly code: BackupFaultCode;

  constructor(code: BackupFaultCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** An error of any kind as a fault of a backup. */
export function faultOf(error: unknown): BackupFault {
  return { code: codeOf(error), message: messageOf(error).slice(0, 500) };
}

function codeOf(error: unknown): BackupFaultCode {
  if (error instanceof BackupError) return error.code;
  if (error instanceof OutboundError) return 'target_unreachable';
  if (saysDamaged(error)) return 'database_unreadable';
  const storage = storageFaultOf(error);
  if (storage === 'full') return 'disk_full';
  return storage === 'readonly' ? 'folder_unwritable' : 'failed';
}
