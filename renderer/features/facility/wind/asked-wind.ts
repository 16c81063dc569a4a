/** The wind and vents for which flows are shown. */
export interface AskedWind {
  speed_m_s: number;
  direction_deg: number;
  opening_pct: number;
}

/** From a calm to a gale, of which every vent is long shut, m/s. */
export const windSpeeds = { min: 0, max: 20, step: 1 } as const;

/** A rose of one speed, m/s: in a calm of as little wind as there is a rose of. */
export const roseOf = (speed_m_s: number): { speed_step: number; speed_count: 1 } => ({
  speed_step: Math.max(0.1, speed_m_s),
  speed_count: 1,
});

export const usualWind: AskedWind = { speed_m_s: 3, direction_deg: 0, opening_pct: 100 };
