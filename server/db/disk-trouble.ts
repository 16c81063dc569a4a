/** What SQLite and the system say where the disk or its folder is at fault, and not what was to be written: it may be taken later. */
const troubles = [
  /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY|LOCKED|NOMEM|CORRUPT|NOTADB)/,
  /^E(NOSPC|DQUOT|FBIG|ROFS|ACCES|PERM|IO|NOENT|NFILE|MFILE|NOMEM)$/,
];

export function isDiskTrouble(code: string): boolean {
  return troubles.some((trouble) => trouble.test(code));
}
