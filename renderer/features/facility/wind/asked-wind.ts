/** The wind and vents for which flows are shown. */
export interface AskedWind {
  speed_m_s: number;
  direction_deg: number;
  opening_pct: number;
}

export const usualWind: AskedWind = { speed_m_s: 3, direction_deg: 0, opening_pct: 100 };
