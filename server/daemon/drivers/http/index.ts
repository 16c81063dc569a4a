import { httpInputChannels, httpOutputChannels } from '../../../contract/driver-catalogue.ts';
import { httpOptions, type HttpOptions } from '../../../contract/http-options.ts';
import type { DriverFamily, DriverModule } from '../driver.ts';
import { HttpDevice } from './device.ts';
import { HttpLink } from './link.ts';

export const driver: DriverModule<HttpOptions> = {
  name: 'http',
  title: 'HTTP',
  summary: 'A device that answers with numbers or JSON at an address, and takes commands at others',
  kinds: ['input', 'output'],
  options: httpOptions,
  channels: (options, kind) => (kind === 'input' ? httpInputChannels(options) : httpOutputChannels(options)),
  start: ({ outbound }): DriverFamily<HttpOptions> => ({
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
