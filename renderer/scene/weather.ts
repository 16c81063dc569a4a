import type { Outline } from './bays.ts';
import { towards, towardsSun, type Sun } from './compass.ts';
import { times, type Vec } from './part.ts';
import { builtWidth } from './section.ts';

/** The present surroundings of a house; null when unknown. */
export interface Weather {
  /** Where the wind comes from. */
  wind: { from_deg: number; speed_m_s: number } | null;
  sun: Sun | null;
}

/** Half of the length and width that a house and the room around it take, m. */
export function reachOf(outline: Outline): number {
  return Math.max(builtWidth(outline), outline.length_m, outline.eave_height_m * 3) / 2;
}

/** Positions of the weather symbols, also for their labels. */
export function weatherPlaces(outline: Outline, front_deg: number, { wind, sun }: Weather) {
  const reach = reachOf(outline);
  const size = Math.max(2, reach * 0.16);
  const north = towards(0, front_deg);
  const lift = (to: Vec, y: number): Vec => [to[0], y, to[2]];
  const edge_m = (way: Vec): number =>
    Math.min(
      builtWidth(outline) / 2 / Math.max(1e-6, Math.abs(way[0])),
      outline.length_m / 2 / Math.max(1e-6, Math.abs(way[2])),
    );
  const outside = (way: Vec, beyond_m: number): Vec => times(way, edge_m(way) + beyond_m);
  const from = wind === null ? null : towards(wind.from_deg, front_deg);
  const high = outline.eave_height_m * 0.8;
  return {
    north: { from: lift(outside(north, size * 0.3), 0.05), to: lift(outside(north, size * 1.1), 0.05) },
    wind:
      from === null
        ? null
        : { from: lift(outside(from, size * 1.4), high), to: lift(outside(from, size * 0.25), high) },
    sun: sun === null || sun.altitude_deg <= 0 ? null : times(towardsSun(sun, front_deg), reach * 1.35),
  };
}
