import { actuatorsOf, cause, loopLive, type Demand, type Moment } from './moment.ts';
import type { ClimateLoopLive } from '../../contract/climate-live.ts';

const hourMs = 3_600_000;

/** Fans mix the air while the thermometers differ, and for some minutes of each hour. */
export function circulationLoop({ program: { circulation: loop }, house, readings, now_ms }: Moment): {
  demands: Demand[];
  live: ClimateLoopLive;
} {
  const { temps_c } = readings;
  const spread_k = temps_c.length < 2 ? 0 : Math.max(...temps_c) - Math.min(...temps_c);
  const isTurn = now_ms % hourMs < loop.minutes_per_h * 60_000;
  const code = spread_k > loop.spread_k ? 'circulation_spread' : isTurn ? 'circulation_turn' : 'circulation_off';
  const why = cause(code, { spread_k, limit_k: loop.spread_k, minutes_per_h: loop.minutes_per_h });
  const pct = code === 'circulation_off' ? 0 : 100;
  const fans = loop.is_on ? actuatorsOf(house, 'circulation_fan') : [];
  return {
    demands: fans.map(({ key }) => ({ key, pct, cause: why })),
    live: loopLive('circulation', {
      target: loop.spread_k,
      measured: temps_c.length < 2 ? null : spread_k,
      demand_pct: pct,
      cause: why,
    }),
  };
}
