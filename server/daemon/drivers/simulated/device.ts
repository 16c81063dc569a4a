import { deviceSays } from '../../../contract/device-words.ts';
import { simulatedMeasurements, type SimulatedPart } from '../../../contract/drivers/simulated.ts';
import type { MeasurementName } from '../../../contract/units.ts';
import { type Device, type OutputValue, DriverError } from '../driver.ts';
import type { SimulatedHouse } from './house.ts';

type Values = Partial<Record<MeasurementName, number>>;

function indoorValues(house: SimulatedHouse): Values {
  const { temp_c, humidity_pct, co2_ppm, light_w_m2 } = house.indoor();
  return { temperature: temp_c, humidity: humidity_pct, co2: co2_ppm, light: light_w_m2 };
}

function weatherValues(house: SimulatedHouse): Values {
  const weather = house.weather();
  return {
    temperature: weather.temp_c,
    humidity: weather.humidity_pct,
    wind_speed: weather.wind_m_s,
    wind_direction: weather.wind_dir_deg,
    radiation: weather.radiation_w_m2,
    rain: weather.rain_mm_h,
  };
}

/** A sensor of a simulated house; a standalone one is outdoors. */
export function simulatedSensor(house: SimulatedHouse, part: SimulatedPart, close: Device['close']): Device {
  const measurements = simulatedMeasurements[part];
  if (measurements === undefined) throw new DriverError('unsupported', deviceSays('part_measures_nothing', { part }));
  return {
    read: async () => {
      const values = part === 'indoor' ? indoorValues(house) : weatherValues(house);
      return measurements.map((measurement, channel) => ({ channel, value: values[measurement] ?? null }));
    },
    close,
  };
}

/** An actuator of a simulated house: obeys at once, confirms, and can be read. */
export function simulatedActuator(house: SimulatedHouse, part: SimulatedPart, close: Device['close']): Device {
  let present: OutputValue = 'off';
  return {
    write: async (_channel, value) => {
      house.set(part, typeof value === 'number' ? value / 100 : Number(value === 'on'));
      present = value;
      return { acknowledged: true };
    },
    readState: async () => new Map([[0, present]]),
    close,
  };
}
