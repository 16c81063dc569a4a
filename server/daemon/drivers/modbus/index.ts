import { modbusConnection, modbusPort, type ModbusOptions } from '../../../contract/drivers/modbus.ts';
import {
  longestRequestMs,
  type Device,
  type DriverEnvironment,
  type DriverFamily,
  type DriverModule,
  type Searching,
} from '../driver.ts';
import { ModbusBus } from './bus.ts';
import { ModbusUnit } from './device.ts';
import { probeUnit } from './probe.ts';

/** One bus for each address; it lives as long as a unit on it is connected. */
function startFamily(environment: DriverEnvironment): DriverFamily<ModbusOptions> & Searching<'modbus'> {
  const buses = new Map<string, { bus: ModbusBus; units: number }>();

  function take(host: string, port: number): { bus: ModbusBus; release: () => Promise<void> } {
    const key = `${host}:${port}`;
    const shared = buses.get(key) ?? {
      bus: new ModbusBus(
        { host, port },
        () => environment.clock.elapsed(),
        (...told) => environment.connection?.(modbusConnection({ host, port }), ...told),
      ),
      units: 0,
    };
    shared.units += 1;
    buses.set(key, shared);
    let isHeld = true;
    const release = async (): Promise<void> => {
      if (!isHeld) return;
      isHeld = false;
      shared.units -= 1;
      if (shared.units > 0) return;
      buses.delete(key);
      await shared.bus.close();
    };
    return { bus: shared.bus, release };
  }

  return {
    connect: async ({ options, kind, channels }): Promise<Device> => {
      const { bus, release } = take(options.host, options.port ?? modbusPort);
      const unit = new ModbusUnit(bus, options, channels);
      const read = unit.read.bind(unit);
      if (kind === 'input') return { read, close: release };
      const actuator = { write: unit.write.bind(unit), readState: unit.readState.bind(unit), close: release };
      const { dead_man } = unit;
      if (dead_man === undefined) return actuator;
      const unlimit = bus.limit(longestRequestMs(dead_man));
      const close = async (): Promise<void> => {
        unlimit();
        await release();
      };
      return { ...actuator, dead_man, close };
    },
    search: async ({ host, port, unit_id }, signal) => {
      const { bus, release } = take(host, port ?? modbusPort);
      try {
        return await probeUnit(bus, unit_id, signal);
      } finally {
        await release();
      }
    },
    close: async () => {
      await Promise.all([...buses.values()].map(({ bus }) => bus.close()));
      buses.clear();
    },
  };
}

export const driver: DriverModule<'modbus'> = { start: startFamily };
