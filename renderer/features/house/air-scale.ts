/** From low to high, distinct with colour blindness too: points of the map cividis (Nuñez, Anderton & Renslow 2018). */
const stops = ['#00224e', '#35456c', '#666970', '#948e77', '#c8b866', '#fee838'] as const;

/** The colour of a fraction, 0 to 1, between minimum and maximum. */
export function airColor(share: number): string {
  const at = Math.min(1, Math.max(0, share)) * (stops.length - 1);
  const low = Math.min(stops.length - 2, Math.floor(at));
  const [from, to] = [channelsOf(stops[low] ?? stops[0]), channelsOf(stops[low + 1] ?? stops[0])];
  const mixed = from.map((value, index) => Math.round(value + ((to[index] ?? value) - value) * (at - low)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

export const airGradient = `linear-gradient(90deg, ${stops.join(', ')})`;

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
