import { codeOf } from '../contract/code-of.ts';

/** Why a database file accepts no write at present: each passes without the program being at fault. */
const storageFaults = ['full', 'readonly', 'busy', 'failed'] as const;
export type StorageFault = (typeof storageFaults)[number];

/** By the start of the result code of SQLite or the system; extended codes continue after it. */
const faultOfCode: readonly (readonly [string, StorageFault])[] = [
  ['SQLITE_FULL', 'full'],
  ['SQLITE_READONLY', 'readonly'],
  ['SQLITE_BUSY', 'busy'],
  ['SQLITE_LOCKED', 'busy'],
  ['SQLITE_IOERR', 'failed'],
  ['SQLITE_CANTOPEN', 'failed'],
  ['SQLITE_PROTOCOL', 'failed'],
  // For files beside the database, by the system's names.
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EROFS', 'readonly'],
  ['EACCES', 'readonly'],
  ['EIO', 'failed'],
];

/** What keeps a write from the disk; undefined for an error that is not the disk's. */
export function storageFaultOf(error: unknown): StorageFault | undefined {
  const code = codeOf(error) ?? '';
  return faultOfCode.find(([begin]) => code.startsWith(begin))?.[1];
}
