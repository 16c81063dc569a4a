import type { DriverModule } from '../driver.ts';
import { HttpDevice } from './device.ts';
import { HttpLink } from './link.ts';

export const driver: DriverModule<'http'> = {
  start: ({ outbound }) => ({
    connect: async ({ options, kind, channels }) => {
      const link = new HttpLink(options, outbound);
      const device = new HttpDevice(link, options, channels);
      const close = (): Promise<void> => link.close();
      if (kind === 'input') return { read: device.read.bind(device), close };
      const readState = device.tellsState && { readState: device.readState.bind(device) };
      return { write: device.write.bind(device), close, ...readState };
    },
    close: async () => undefined, // devices share nothing
  }),
};
