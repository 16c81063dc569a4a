/** Two waves with incommensurable periods, between -1 and 1: passing weather that is the same in every run. */
export function wave(day: number, period_d: number, phase: number): number {
  const first = Math.sin(2 * Math.PI * (day / period_d + phase));
  return 0.6 * first + 0.4 * Math.sin(2 * Math.PI * (day / (period_d * 2.618) + 3 * phase));
}

/** Mean square of a wave. */
export const waveSquare = (0.6 ** 2 + 0.4 ** 2) / 2;
