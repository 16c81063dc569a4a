import type { ClimateLimit } from '../../contract/climate-live.ts';
import type { ClimateCause } from '../../contract/climate-reason.ts';
import { cause, type Moment } from './moment.ts';
import type { ClimateState } from './state.ts';

type Crossed = ClimateState['crossed'];

/** How far a vent may open now, and the limit behind it. */
export interface VentLimit {
  limit: ClimateLimit;
  most_pct: number;
  cause: ClimateCause;
}

/**
 * The wind must fall below this fraction of the storm limit before the storm counts as over, as in the daemon's safety
 * gate.
 */
const calmer = 0.9;

type Seen = Pick<Moment, 'program' | 'house' | 'readings' | 'now_ms' | 'isDay'>;

/** When each limit was last crossed; now, for one that holds. */
export function crossedNow({ program: { limits }, house, readings, now_ms, isDay }: Seen, before: Crossed): Crossed {
  const { wind_m_s, rain, outdoor_c } = readings;
  const isLost = house.sensors.has('outdoor_wind') && wind_m_s === null;
  const wasStorm = before.storm_ms !== null && now_ms - before.storm_ms < limits.release_s * 1000;
  const storm_m_s = wasStorm ? limits.storm_m_s * calmer : limits.storm_m_s;
  const isRainLost = house.sensors.has('rain') && rain === null;
  const isOutLost = house.sensors.has('outdoor_temp');
  const holds = holdsAt(now_ms, limits);
  return {
    storm_ms: isLost || (wind_m_s ?? 0) > storm_m_s ? now_ms : before.storm_ms,
    rain_ms: isRainLost || (rain ?? 0) > 0 ? now_ms : before.rain_ms,
    // A thermometer that falls silent in frost does not end its night; one that does so in summer begins none.
    frost_ms: (outdoor_c === null ? isOutLost && !isDay && holds(before.frost_ms) : outdoor_c < limits.frost_c)
      ? now_ms
      : before.frost_ms,
  };
}

/** Whether a limit that was last crossed at a time is in force. */
function holdsAt(now_ms: number, { release_s }: Moment['program']['limits']) {
  return (atMs: number | null): boolean => atMs !== null && now_ms - atMs <= release_s * 1000;
}

/** The limits on vents in force now, strongest first. A lost weather station counts as a storm. */
export function ventLimits({ program: { limits }, house, readings, now_ms }: Seen, crossed: Crossed): VentLimit[] {
  const holds = holdsAt(now_ms, limits);
  const wind_m_s = readings.wind_m_s ?? 0;
  const isLost = house.sensors.has('outdoor_wind') && readings.wind_m_s === null;
  const isRainLost = house.sensors.has('rain') && readings.rain === null;
  const storm = isLost ? cause('station_lost') : cause('storm', { wind_m_s, limit_m_s: limits.storm_m_s });
  const frost = { outdoor_c: readings.outdoor_c ?? limits.frost_c, limit_c: limits.frost_c };
  const all: (VentLimit & { at_ms: number | null })[] = [
    { limit: 'storm', most_pct: 0, at_ms: crossed.storm_ms, cause: storm },
    {
      limit: 'rain',
      most_pct: limits.rain_vent_most_pct,
      at_ms: crossed.rain_ms,
      cause: cause(isRainLost ? 'rain_lost' : 'rain', { most_pct: limits.rain_vent_most_pct }),
    },
    {
      limit: 'frost',
      most_pct: limits.frost_vent_most_pct,
      at_ms: crossed.frost_ms,
      cause:
        readings.outdoor_c === null
          ? cause('frost_lost', { most_pct: limits.frost_vent_most_pct })
          : cause('frost', { ...frost, most_pct: limits.frost_vent_most_pct }),
    },
  ];
  return all.filter(({ at_ms }) => holds(at_ms)).map(({ at_ms: _, ...limit }) => limit);
}
