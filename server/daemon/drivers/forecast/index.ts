import { Outbound } from '../../../outbound/outbound.ts';
import type { DriverModule } from '../driver.ts';
import { ForecastDevice } from './device.ts';

export const driver: DriverModule<'forecast'> = {
  start: ({ outbound: options, clock }) => {
    const outbound = new Outbound({ keepAlive: false, ...options });
    return {
      connect: async ({ options: asked, channels }) => {
        const device = new ForecastDevice(asked, { outbound, clock, channels });
        return { read: device.read.bind(device), close: async () => undefined }; // what is under way ends with its time
      },
      close: () => outbound.close(),
    };
  },
};
