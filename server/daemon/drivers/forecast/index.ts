import { Outbound } from '../../../outbound/outbound.ts';
import type { DriverModule } from '../driver.ts';
import { ForecastDevice } from './device.ts';
import { KeptForecast } from './kept.ts';

export const driver: DriverModule<'forecast'> = {
  start: ({ outbound: options, clock, dataDirectory }) => {
    const outbound = new Outbound({ keepAlive: false, ...options });
    return {
      connect: async ({ options: asked, channels, device_id }) => {
        const kept = new KeptForecast(dataDirectory, device_id);
        const device = new ForecastDevice(asked, { outbound, clock, channels, kept });
        return { read: device.read.bind(device), close: async () => undefined }; // what is under way ends with its time
      },
      close: () => outbound.close(),
    };
  },
};
