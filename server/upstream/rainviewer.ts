import { radarMeta, type RadarMeta } from '../contract/proxy.ts';
import { dayMs, minuteMs, type ProviderQuestion } from './question.ts';
import type { Upstreams } from './upstreams.ts';

/** Colour scheme 2 (Universal Blue) is the only public one; 1_1: smoothed, with snow. */
const look = '2/1_1.png';
const size = 512;

export function radarMetaQuestion({ rainviewer }: Upstreams): ProviderQuestion {
  const path = '/public/weather-maps.json';
  return { upstream: rainviewer, path, expects: radarMeta, limit_ms: 5_000, fresh_ms: 2 * minuteMs, keep_ms: dayMs };
}

/** A frame in the list never changes. */
export function radarTileQuestion(
  { rainviewer_tiles }: Upstreams,
  { framePath, z, x, y }: { framePath: string; z: number; x: number; y: number },
): ProviderQuestion {
  const path = `${framePath}/${size}/${z}/${x}/${y}/${look}`;
  return { upstream: rainviewer_tiles, path, expects: 'picture', limit_ms: 10_000, fresh_ms: dayMs, keep_ms: dayMs };
}

const framePath = /^\/v2\/radar\/[A-Za-z0-9_-]{1,100}$/;

/** The provider's path for the frame of a time; undefined when it has none. */
export function framePathOf({ radar }: RadarMeta, time: number): string | undefined {
  const found = [...radar.past, ...(radar.nowcast ?? [])].find((frame) => frame.time === time);
  return found !== undefined && framePath.test(found.path) ? found.path : undefined;
}
