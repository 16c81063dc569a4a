import { simulatedMeasurements, type SimulatedOptions } from '../../../contract/drivers/simulated.ts';
import { simulatedHouse } from '../../../domain/simulation/simulated-house.ts';
import type { WeatherYear } from '../../../domain/climate/weather-year.ts';
import type { DriverEnvironment, DriverFamily, DriverModule } from '../driver.ts';
import { simulatedActuator, simulatedSensor } from './device.ts';
import { withDeadMan } from './dead-man.ts';
import { faultyActuator, faultySensor } from './fault.ts';
import { defaultLng_deg, SimulatedHouse } from './house.ts';
import { simulatedMotor } from './motor.ts';
import { withNoise } from './noise.ts';
import { WeatherFolder } from './weather-folder.ts';

/** One house per id, with the options of its first device; exists while one of its devices is connected. */
function startFamily(environment: DriverEnvironment): DriverFamily<SimulatedOptions> {
  const houses = new Map<string, { house: SimulatedHouse; devices: Set<symbol> }>();

  const folder = new WeatherFolder(environment.dataDirectory);

  /** The recorded weather for a new house; hours of a CSV file are in the standard time of its meridian. */
  async function yearFor(key: string, { weather_file, lng }: SimulatedOptions): Promise<WeatherYear | null> {
    if (weather_file === undefined || houses.has(key)) return null;
    return folder.read(weather_file, Math.round((lng ?? defaultLng_deg) / 15));
  }

  function enter(
    key: string,
    options: SimulatedOptions,
    year: WeatherYear | null,
  ): { house: SimulatedHouse; leave: () => Promise<void> } {
    const { facility } = options;
    const model = () => (facility !== undefined && environment.modelOf?.(facility)) || simulatedHouse;
    const entry = houses.get(key) ?? {
      house: new SimulatedHouse(options, { now: () => environment.clock.now(), model, year }),
      devices: new Set(),
    };
    const device = Symbol(options.part);
    houses.set(key, entry);
    entry.devices.add(device);
    const leave = async (): Promise<void> => {
      entry.devices.delete(device);
      if (entry.devices.size === 0 && houses.get(key) === entry) houses.delete(key);
    };
    return { house: entry.house, leave };
  }

  return {
    connect: async ({ device_id, kind, options }, signal) => {
      const { fault } = options;
      const elsewhere = fault?.kind === 'wired_to' ? fault : undefined;
      const key = elsewhere?.house ?? options.house ?? device_id;
      const year = await yearFor(key, options);
      signal.throwIfAborted();
      const { house, leave } = enter(key, options, year);
      const hangsIn = elsewhere?.part ?? options.part;
      const { clock } = environment;
      if (kind === 'input') {
        const part = hangsIn ?? 'sensor';
        const { noise_seed } = options;
        const sound = simulatedSensor(house, part, leave);
        const measurements = simulatedMeasurements[part] ?? [];
        return faultySensor(
          noise_seed === undefined ? sound : withNoise(sound, noise_seed, measurements),
          fault,
          clock,
        );
      }
      const { dead_man_s, motor_s } = options;
      if (motor_s !== undefined)
        return simulatedMotor({ house, part: hangsIn ?? 'roof_vent', travel_s: motor_s, clock }, leave);
      const actuator = simulatedActuator(house, hangsIn ?? 'switch', leave);
      return faultyActuator(
        dead_man_s === undefined ? actuator : withDeadMan(actuator, dead_man_s, clock),
        fault,
        clock,
      );
    },
    close: async () => houses.clear(),
  };
}

export const driver: DriverModule<'simulated'> = { start: startFamily };
