import type { PaletteCommand } from '../feature.ts';

const mostShown = 60;

/**
 * Commands with every word of the query in title or hint: first those whose title begins with it, then those in whose
 * title each word begins one; alike, what the site has before pages and actions.
 */
export function matching(commands: readonly PaletteCommand[], query: string): PaletteCommand[] {
  const wanted = query.trim().toLocaleLowerCase();
  if (wanted === '') return commands.slice(0, mostShown);
  const words = wanted.split(/\s+/);
  const fits = commands.filter((command) => {
    const text = `${command.title} ${command.hint}`.toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
  const rank = ({ title, isOfSite = false }: PaletteCommand): number =>
    2 * closeness(title.toLocaleLowerCase(), wanted, words) + (isOfSite ? 0 : 1);
  return fits.sort((a, b) => rank(a) - rank(b)).slice(0, mostShown);
}

/** 0 is the closest. */
function closeness(title: string, wanted: string, words: readonly string[]): number {
  if (title.startsWith(wanted)) return 0;
  const parts = title.split(/[^\p{L}\p{N}]+/u);
  return words.every((word) => parts.some((part) => part.startsWith(word))) ? 1 : 2;
}
