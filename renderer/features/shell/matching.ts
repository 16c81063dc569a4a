import type { PaletteCommand } from '../feature.ts';

const mostShown = 60;

/** Commands with every word of the query in title or hint; those whose title begins with it come first. */
export function matching(commands: readonly PaletteCommand[], query: string): PaletteCommand[] {
  const wanted = query.trim().toLocaleLowerCase();
  const words = wanted.split(/\s+/);
  const fits = commands.filter((command) => {
    const text = `${command.title} ${command.hint}`.toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
  const rank = (command: PaletteCommand): number => (command.title.toLocaleLowerCase().startsWith(wanted) ? 0 : 1);
  return fits.sort((a, b) => rank(a) - rank(b)).slice(0, mostShown);
}
