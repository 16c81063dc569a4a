/** What two spellings of one name have in common: compatible characters and letter case differ, the name does not. */
export function foldName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
