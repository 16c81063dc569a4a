import { z } from 'zod';

const limit = (field: z.ZodNumber, unit: string, description: string) =>
  field.nullable().meta({ description: `${description}; null: not watched`, unit });

const settled = (field: z.ZodNumber, unit: string, description: string) =>
  field.nullable().meta({ description: `${description}; null: none`, unit });

const air_c = z.number().min(-40).max(60);
const share_pct = z.number().min(0).max(100);
const co2_ppm = z.number().min(0).max(10_000);

/** The limits beyond which readings of a facility raise an alert, with their delays and dead bands. */
export const alarmLimits = z.strictObject({
  indoor_temp_low_c: limit(air_c, 'C', 'Indoor air below it is out_of_band, -40 to 60'),
  indoor_temp_high_c: limit(air_c, 'C', 'Indoor air above it is out_of_band, -40 to 60'),
  indoor_humidity_low_pct: limit(share_pct, '%', 'Indoor humidity below it is out_of_band, 0 to 100'),
  indoor_humidity_high_pct: limit(share_pct, '%', 'Indoor humidity above it is out_of_band, 0 to 100'),
  indoor_co2_low_ppm: limit(co2_ppm, 'ppm', 'Indoor CO2 below it is out_of_band, 0 to 10,000'),
  indoor_co2_high_ppm: limit(co2_ppm, 'ppm', 'Indoor CO2 above it is out_of_band, 0 to 10,000'),
  frost_c: limit(air_c, 'C', 'Indoor air below it is frost, -40 to 60'),
  over_temperature_c: limit(air_c, 'C', 'Indoor air above it is over_temperature, -40 to 60'),
  wind_m_s: limit(z.number().min(0).max(100), 'm/s', 'Wind above it is wind, 0 to 100'),
  rain: limit(z.number().min(0).max(500), '', 'Rain above it, as the sensor gives it, is rain, 0 to 500'),
  disagree_temp_k: limit(
    z.number().positive().max(50),
    'K',
    'Air thermometers of a house further apart disagree, to 50',
  ),
  disagree_humidity_pct: limit(
    z.number().positive().max(100),
    '%',
    'Hygrometers of a house further apart disagree, to 100',
  ),
  out_of_band_delay_s: settled(
    z.number().positive().max(3_600),
    's',
    'So long a reading is out_of_band first, to 3600',
  ),
  dead_band_temp_k: settled(
    z.number().positive().max(10),
    'K',
    'So far within its limits indoor air is again before out_of_band ends, to 10',
  ),
  dead_band_humidity_pct: settled(z.number().positive().max(50), '%', 'The same of indoor humidity, to 50'),
  dead_band_co2_ppm: settled(z.number().positive().max(1_000), 'ppm', 'The same of indoor CO2, to 1000'),
});
export type AlarmLimits = z.infer<typeof alarmLimits>;

/** Pairs of limits of which the first must be below the second when both are set. */
export const alarmBands = [
  ['indoor_temp_low_c', 'indoor_temp_high_c'],
  ['indoor_humidity_low_pct', 'indoor_humidity_high_pct'],
  ['indoor_co2_low_ppm', 'indoor_co2_high_ppm'],
  ['frost_c', 'over_temperature_c'],
] as const satisfies readonly (readonly [keyof AlarmLimits, keyof AlarmLimits])[];

/** The limits of a new installation. */
export const defaultAlarmLimits: AlarmLimits = {
  // What common fruiting crops tolerate for hours without harm; frost includes the error of a thermometer.
  indoor_temp_low_c: 8,
  indoor_temp_high_c: 35,
  indoor_humidity_low_pct: 30,
  indoor_humidity_high_pct: 95,
  // A closed house in the sun runs short of CO2 every day: no alert until a site sets a limit.
  indoor_co2_low_ppm: null,
  indoor_co2_high_ppm: 2000,
  frost_c: 2,
  over_temperature_c: 42,
  // Beaufort 6 begins at 10.8 m/s: open vents are at risk.
  wind_m_s: 10.8,
  rain: 0,
  disagree_temp_k: 3,
  disagree_humidity_pct: 15,
  // ISA-18.2 (2016), annex of 10.6, for temperature; above the noise of a house's sensors.
  out_of_band_delay_s: 60,
  dead_band_temp_k: 0.5,
  dead_band_humidity_pct: 2,
  dead_band_co2_ppm: 50,
};
