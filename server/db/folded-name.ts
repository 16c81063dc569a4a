/** The common form of a name's spellings: compatible characters and letter case do not make another name. */
export function foldName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
