/** A climate program by its house, and by its own name where that is not the house's; either may not be known yet. */
export function programText(house: string | undefined, name: string | undefined): string {
  return [...new Set([house, name])].filter(Boolean).join(' · ');
}
