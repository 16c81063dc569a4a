import { ownMeasurementId, type MeasuredChannel } from './measured.ts';
import { measurementUnits, type MeasurementName } from './units.ts';

/** What each channel of a climate program stores, in the order of the channels; a number keeps its meaning for ever. */
export const climateAims = ['heating_c', 'ventilation_c', 'humidity_pct', 'deficit_kpa', 'co2_ppm'] as const;
export type ClimateAim = (typeof climateAims)[number];

/** A value is stored no more often than this, s. */
export const climateStored_s = 60;

const stored: Record<ClimateAim, { name: string; measurement: MeasurementName }> = {
  heating_c: { name: 'Heating setpoint', measurement: 'temperature' },
  ventilation_c: { name: 'Ventilation setpoint', measurement: 'temperature' },
  humidity_pct: { name: 'Maximum humidity', measurement: 'humidity' },
  deficit_kpa: { name: 'Minimum VPD', measurement: 'vapour_deficit' },
  co2_ppm: { name: 'CO2 setpoint', measurement: 'co2' },
};

/** All of them, also those that none of its loops goes by now: that changes with the period. */
export function aimChannels({ unique_id }: { unique_id: string }): MeasuredChannel[] {
  return climateAims.map((aim, channel) => {
    const { name, measurement } = stored[aim];
    const measurement_id = aimSeriesId(unique_id, aim);
    return { channel, name, measurement_id, measurement, unit: measurementUnits[measurement] };
  });
}

/** The measurement_id under which a program stores what it aims at. */
export function aimSeriesId(climate_id: string, aim: ClimateAim): string {
  return ownMeasurementId(climate_id, climateAims.indexOf(aim));
}
