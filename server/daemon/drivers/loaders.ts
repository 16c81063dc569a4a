import type { DriverName } from '../../contract/drivers/index.ts';
import type { DriverModule } from './driver.ts';

/** The folder of each driver, loaded with its first device. Literal paths let the bundler find them. */
export const loaders: { readonly [Name in DriverName]: () => Promise<{ driver: DriverModule<Name> }> } = {
  simulated: () => import('./simulated/index.ts'),
  modbus: () => import('./modbus/index.ts'),
  mqtt: () => import('./mqtt/index.ts'),
  http: () => import('./http/index.ts'),
  onewire: () => import('./onewire/index.ts'),
  system: () => import('./system/index.ts'),
  forecast: () => import('./forecast/index.ts'),
  hd44780: () => import('./hd44780/index.ts'),
  virtual: () => import('./virtual/index.ts'),
};
