import { virtualLcdOptions, type VirtualLcdOptions } from '../../../contract/driver-options.ts';
import type { DriverModule } from '../driver.ts';

export const driver: DriverModule<VirtualLcdOptions> = {
  name: 'virtual',
  title: 'On-screen display',
  summary: 'A display that exists on screen only: line sets of measurements, times and text',
  kinds: ['lcd'],
  options: virtualLcdOptions,
  channels: () => [],
  // What it shows is what its controller tells as an event: there is nothing to write to.
  start: () => ({
    connect: async () => ({ show: async () => undefined, close: async () => undefined }),
    close: async () => undefined,
  }),
};
