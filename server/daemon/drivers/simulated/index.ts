import {
  simulatedInputChannels,
  simulatedMeasurements,
  simulatedOutputChannels,
} from '../../../contract/driver-catalogue.ts';
import { simulatedOptions } from '../../../contract/driver-options.ts';
import type { SimulatedOptions } from '../../../contract/driver-options.ts';
import type { DriverEnvironment, DriverFamily, DriverModule } from '../driver.ts';
import { simulatedActuator, simulatedSensor } from './device.ts';
import { withDeadMan } from './dead-man.ts';
import { faultyActuator, faultySensor } from './fault.ts';
import { SimulatedHouse } from './house.ts';
import { withNoise } from './noise.ts';

/** One house an id, with the options of its first device; it stands while one of its devices is connected. */
function startFamily(environment: DriverEnvironment): DriverFamily<SimulatedOptions> {
  const houses = new Map<string, { house: SimulatedHouse; devices: Set<symbol> }>();

  function enter(key: string, options: SimulatedOptions): { house: SimulatedHouse; leave: () => Promise<void> } {
    const entry = houses.get(key) ?? {
      house: new SimulatedHouse(options, () => environment.clock.now()),
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
    connect: async ({ device_id, kind, options }) => {
      const { fault } = options;
      const elsewhere = fault?.kind === 'wired_to' ? fault : undefined;
      const { house, leave } = enter((elsewhere?.house ?? options.house)?.toLowerCase() ?? device_id, options);
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
      const actuator = simulatedActuator(house, hangsIn ?? 'switch', leave);
      const { dead_man_s } = options;
      return faultyActuator(
        dead_man_s === undefined ? actuator : withDeadMan(actuator, dead_man_s, clock),
        fault,
        clock,
      );
    },
    close: async () => houses.clear(),
  };
}

export const driver: DriverModule<SimulatedOptions> = {
  name: 'simulated',
  title: 'Simulated',
  summary: 'Sensors and actuators of a greenhouse that exists only as a model',
  kinds: ['input', 'output'],
  options: simulatedOptions,
  channels: (options, kind) => (kind === 'input' ? simulatedInputChannels(options) : simulatedOutputChannels(options)),
  start: startFamily,
};
