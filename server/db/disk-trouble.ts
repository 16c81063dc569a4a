/**
 * Errors of SQLite and the system that mean a fault of the disk or its folder, not of what was written: it may be
 * accepted later.
 */
const troubles = [
  /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY|LOCKED|NOMEM|CORRUPT|NOTADB)/,
  /^E(NOSPC|DQUOT|FBIG|ROFS|ACCES|PERM|IO|NOENT|NFILE|MFILE|NOMEM)$/,
];

export function isDiskTrouble(code: string): boolean {
  return troubles.some((trouble) => trouble.test(code));
}
