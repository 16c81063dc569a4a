import type { SensorRole } from '../../contract/facility.ts';

/** The plausible readings of a sensor in a role. */
export interface SensorLimits {
  /** Beyond these it is at fault (gross range test, QARTOD: IOOS 2015, test 4). */
  fault: readonly [low: number, high: number];
  /** Beyond these it is worth a look. */
  usual: readonly [low: number, high: number];
  /** Largest excess of one reading over both neighbours (test 6); null if nature exceeds any. */
  spike: number | null;
  /** Fastest change while nothing is driven (test 7), a minute. */
  rate_per_min: number | null;
  /** Fastest drift over minutes that no actuator explains, an hour; null if nature exceeds any. */
  drift_per_h: number | null;
  /** Largest standard deviation from one reading to the next. */
  noise: number | null;
  /**
   * Largest distance from the median of its role: the accuracies of two common sensors and the differences within a
   * house.
   */
  agreement: number | null;
  /** Without the least change for longer it is a flat line (test 8), s; null if it may rest. */
  flatAfter_s: number | null;
  /** It may stand at 0 for ever: no rain, no wind, no flow, night. */
  restsAtZero: boolean;
}

const rests = { restsAtZero: true, drift_per_h: null };
const moves = { restsAtZero: false, drift_per_h: null };

export const sensorLimits: Readonly<Record<SensorRole, SensorLimits>> = {
  indoor_temp: {
    // An empty house freezes in winter.
    fault: [-30, 60],
    usual: [-15, 45],
    spike: 2,
    rate_per_min: 5,
    noise: 0.5,
    // The sun behind a cloud warms a house by up to 8 K in an hour.
    agreement: 2,
    flatAfter_s: 1800,
    ...moves,
    drift_per_h: 13,
  },
  indoor_humidity: {
    // Capacitive sensors read up to 2 % too much when wet.
    fault: [0, 102],
    usual: [15, 101],
    spike: 10,
    rate_per_min: 20,
    noise: 2,
    agreement: 8,
    flatAfter_s: 1800,
    ...moves,
  },
  indoor_co2: {
    // Air outdoors has 420 ppm; a crop draws a closed house down to 200.
    fault: [50, 20_000],
    usual: [150, 5000],
    spike: 200,
    rate_per_min: 500,
    noise: 30,
    agreement: 150,
    flatAfter_s: 900,
    ...moves,
  },
  indoor_light: {
    fault: [-5, 2000],
    usual: [-2, 1400],
    spike: null,
    rate_per_min: null,
    noise: null,
    agreement: 150,
    flatAfter_s: 600,
    ...rests,
  },
  soil_temp: {
    fault: [-20, 60],
    usual: [0, 40],
    spike: 2,
    rate_per_min: 2,
    noise: 0.5,
    agreement: 5,
    flatAfter_s: null,
    ...moves,
  },
  soil_moisture: {
    fault: [0, 100],
    usual: [1, 99],
    spike: 10,
    rate_per_min: 20,
    noise: 2,
    agreement: null,
    flatAfter_s: null,
    ...moves,
  },
  leaf_wetness: {
    fault: [0, 100],
    usual: [0, 100],
    spike: null,
    rate_per_min: null,
    noise: null,
    agreement: null,
    flatAfter_s: null,
    ...rests,
  },
  water_flow: {
    fault: [0, 1_000_000],
    usual: [0, 200_000],
    spike: null,
    rate_per_min: null,
    noise: null,
    agreement: null,
    flatAfter_s: null,
    ...rests,
  },
  drain_flow: {
    fault: [0, 1_000_000],
    usual: [0, 200_000],
    spike: null,
    rate_per_min: null,
    noise: null,
    agreement: null,
    flatAfter_s: null,
    ...rests,
  },
  pipe_temp: {
    fault: [-20, 150],
    usual: [0, 95],
    spike: null,
    rate_per_min: null,
    noise: null,
    agreement: null,
    flatAfter_s: null,
    ...rests,
  },
  water_pressure: {
    fault: [-100_000, 3_000_000],
    usual: [-20_000, 1_000_000],
    spike: null,
    rate_per_min: null,
    noise: 20_000,
    agreement: null,
    flatAfter_s: null,
    ...rests,
  },
  outdoor_temp: {
    // World records are -89 and 57 C, those of inhabited places -68 and 54 (WMO).
    fault: [-70, 60],
    usual: [-45, 48],
    spike: 2,
    rate_per_min: 3,
    noise: 0.5,
    agreement: 2,
    flatAfter_s: 1800,
    ...moves,
  },
  outdoor_humidity: {
    fault: [0, 102],
    usual: [5, 101],
    spike: 10,
    rate_per_min: 10,
    noise: 2,
    agreement: 8,
    flatAfter_s: 1800,
    ...moves,
  },
  outdoor_wind: {
    fault: [0, 75],
    usual: [0, 40],
    spike: null,
    rate_per_min: null,
    noise: null,
    agreement: 5,
    flatAfter_s: 300,
    ...rests,
  },
  outdoor_wind_dir: {
    fault: [0, 360],
    usual: [0, 360],
    spike: null,
    rate_per_min: null,
    noise: null,
    agreement: null,
    flatAfter_s: null,
    ...rests,
  },
  outdoor_solar: {
    // 1361 W/m2 above the atmosphere, briefly a third more at the edge of clouds; thermopiles read slightly below 0 at
    // night.
    fault: [-15, 1800],
    usual: [-10, 1400],
    spike: null,
    rate_per_min: null,
    noise: null,
    agreement: 150,
    flatAfter_s: 600,
    ...rests,
  },
  outdoor_longwave: {
    // Net under a clear and dry sky to what an overcast one at 45 C sends down.
    fault: [-300, 700],
    usual: [-200, 550],
    spike: null,
    rate_per_min: null,
    noise: null,
    agreement: null,
    flatAfter_s: null,
    ...rests,
  },
  rain: {
    fault: [0, 500],
    usual: [0, 150],
    spike: null,
    rate_per_min: null,
    noise: null,
    agreement: null,
    flatAfter_s: null,
    ...rests,
  },
};
