import type { SensorRole } from '../../contract/facility.ts';

/** What actuators move and sensors see. `vapour` is calculated from temperature and humidity. */
const quantities = ['temp', 'humidity', 'vapour', 'co2', 'light', 'flow', 'pressure', 'soil_moisture'] as const;
export type Quantity = (typeof quantities)[number];

interface QuantityFacts {
  unit: string;
  /**
   * It follows its actuator within this time, s: a later change is a cloud, not the effect of a wrong wire. Absent for
   * slow quantities.
   */
  promptWithin_s?: number;
  /**
   * Smallest change that counts as a response. Temperature, humidity and CO2: three times the short-term repeatability
   * of common greenhouse sensors (0.1 K, 0.7 %, 10 ppm). Vapour: 2 % of saturation at 18 C (15.4 g/m3). Light: above
   * the flicker of lamps, below any assimilation light or a curtain by day. Water: above the idle reading of turbine
   * meters and bourdon sensors.
   */
  least: number;
}

export const quantityFacts: Readonly<Record<Quantity, QuantityFacts>> = {
  temp: { unit: 'C', least: 0.3 },
  humidity: { unit: '%', least: 2 },
  vapour: { unit: 'g/m3', least: 0.3 },
  co2: { unit: 'ppm', least: 30 },
  light: { unit: 'W/m2', least: 10, promptWithin_s: 10 },
  flow: { unit: 'l/h', least: 5, promptWithin_s: 10 },
  pressure: { unit: 'Pa', least: 5000, promptWithin_s: 10 },
  soil_moisture: { unit: '%', least: 1 },
};

/** The quantity that a sensor in a role measures in the house. */
export const quantityOfRole: Partial<Record<SensorRole, Quantity>> = {
  indoor_temp: 'temp',
  indoor_humidity: 'humidity',
  indoor_co2: 'co2',
  indoor_light: 'light',
  soil_moisture: 'soil_moisture',
  water_flow: 'flow',
  water_pressure: 'pressure',
};
