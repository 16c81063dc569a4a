import type { DriverModule } from '../driver.ts';

export const driver: DriverModule<'virtual'> = {
  // Its controller publishes its lines as an event: there is nothing to write to.
  start: () => ({
    connect: async () => ({ show: async () => undefined, close: async () => undefined }),
    close: async () => undefined,
  }),
};
