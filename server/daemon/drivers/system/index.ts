import { deviceSays } from '../../../contract/device-words.ts';
import { DriverError, type Device, type DriverModule, type Reading } from '../driver.ts';
import { diskUsed, load, memoryUsed, temperature } from './machine.ts';

export const driver: DriverModule<'system'> = {
  start: ({ kernelRoot = '/', dataDirectory = '/' }) => ({
    connect: async ({ options: { thermal_zone }, channels }): Promise<Device> => {
      const sources = [
        (signal: AbortSignal) => temperature(kernelRoot, thermal_zone, signal),
        (signal: AbortSignal) => load(kernelRoot, signal),
        (signal: AbortSignal) => memoryUsed(kernelRoot, signal),
        () => diskUsed(dataDirectory),
      ];
      const wanted = sources.flatMap((source, channel) => (channels.includes(channel) ? [{ channel, source }] : []));
      return {
        read: async (signal) => {
          const read = await Promise.allSettled(wanted.map(({ source }) => source(signal)));
          const readings = read.map((one, at): Reading => {
            return { channel: wanted[at]?.channel ?? 0, value: one.status === 'fulfilled' ? one.value : null };
          });
          if (readings.every(({ value }) => value === null)) throw failureOf(read);
          return readings;
        },
        close: async () => undefined, // files are opened for each reading
      };
    },
    close: async () => undefined,
  }),
};

/**
 * The error of a machine that has none of the values: not every one has a thermometer, and only Linux has these files.
 */
function failureOf(read: readonly PromiseSettledResult<unknown>[]): unknown {
  const failed = read.find((one) => one.status === 'rejected');
  return failed?.reason ?? new DriverError('unsupported', deviceSays('machine_silent'));
}
