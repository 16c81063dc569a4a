import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { onewireBus, onewireSensorId } from '../../../contract/drivers/onewire.ts';
import { deviceSays } from '../../../contract/device-words.ts';
import { Turns } from '../../turns.ts';
import { DriverError, type Device, type DriverModule } from '../driver.ts';
import { readKernelFile } from '../kernel-file.ts';
import { readingOf } from './w1-slave.ts';

export const driver: DriverModule<'onewire'> = {
  start: ({ kernelRoot = '/', connection }) => {
    // A reading occupies the bus, and a thread of this process, for the 750 ms that a sensor takes: so they take turns.
    const turns = new Turns();
    const devices = join(kernelRoot, 'sys/bus/w1/devices');
    const listed = async (): Promise<string[] | undefined> => {
      const names = await readdir(devices).catch(() => undefined);
      return names?.filter((name) => onewireSensorId.safeParse(name).success).toSorted();
    };
    let [isLost, users]: [boolean | undefined, number] = [undefined, 0];
    const tell = (lost: boolean): void => {
      if (lost !== isLost) connection?.(onewireBus, lost ? deviceSays('bus_empty') : null);
      isLost = lost;
    };
    const readFile = async (file: string, signal: AbortSignal): Promise<string> => {
      try {
        const text = await readKernelFile(file, signal);
        tell(false);
        return text;
      } catch (error) {
        const isEmpty = ((await listed()) ?? []).length === 0;
        tell(isEmpty && users > 0); // it may have been released meanwhile
        throw error;
      }
    };
    return {
      connect: async ({ options: { sensor_id } }): Promise<Device> => {
        const file = join(devices, sensor_id, 'w1_slave');
        users += 1;
        let isUsed = true;
        return {
          read: (signal) =>
            turns.take('bus', async () => {
              if (signal.aborted) throw new DriverError('timed_out', deviceSays('bus_busy'));
              return [readingOf(await readFile(file, signal))];
            }),
          // A file is opened for each reading; a bus that nothing uses is not lost.
          close: async () => {
            if (isUsed && --users === 0) tell(false);
            isUsed = false;
          },
        };
      },
      search: async () => {
        const sensors = await listed();
        return { found: sensors === undefined ? 'absent' : 'answers', sensors: sensors?.slice(0, 1000) ?? [] };
      },
      close: async () => undefined,
    };
  },
};
