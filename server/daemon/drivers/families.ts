import { z } from 'zod';
import { deviceSays } from '../../contract/device-words.ts';
import type { DriverDescription } from '../../contract/driver.ts';
import { driverList, driverOf, kindsOf } from '../../contract/drivers/index.ts';
import type { DeviceKind } from '../../contract/drivers/driver.ts';
import { type Device, type DriverEnvironment, type DriverFamily, DriverError } from './driver.ts';
import { loaders } from './loaders.ts';

export interface ConnectDevice {
  driver: string;
  device_id: string;
  kind: DeviceKind;
  /** As stored; checked against the schema of the driver. */
  options: unknown;
  channels: readonly number[];
}

interface AnyFamily extends DriverFamily<unknown> {
  search?(query: unknown, signal: AbortSignal): Promise<unknown>;
}

/** A module without the types of its options and searches: its arguments are checked against the catalogue. */
type Load = () => Promise<{ driver: { start(environment: DriverEnvironment): AnyFamily } }>;

/** The families of one daemon: each is loaded and started at the first connection or search. */
export class DriverFamilies {
  readonly #environment: DriverEnvironment;
  readonly #started = new Map<string, Promise<AnyFamily>>();

  constructor(environment: DriverEnvironment) {
    this.#environment = environment;
  }

  /** Throws DriverError `unsupported` on an unknown driver or options that it refuses, and the errors of the driver. */
  async connect(device: ConnectDevice, signal: AbortSignal): Promise<Device> {
    const driver = driverOf(device.driver);
    if (driver === undefined) throw new DriverError('unsupported', deviceSays('no_driver', { name: device.driver }));
    const options = driver.options.safeParse(device.options);
    if (!options.success) throw new DriverError('unsupported', z.prettifyError(options.error));
    const family = await this.#start(device.driver);
    return family.connect({ ...device, options: options.data }, signal);
  }

  /**
   * Finds the devices at the place that the query names. Throws DriverError `unsupported` when the driver has no
   * search.
   */
  async search(name: string, query: unknown, signal: AbortSignal): Promise<unknown> {
    const search = driverOf(name)?.search;
    const family = search && (await this.#start(name));
    if (family?.search === undefined) throw new DriverError('unsupported', deviceSays('no_search', { name }));
    return family.search(search?.query.parse(query), signal);
  }

  /** Every driver that the daemon has. */
  describe(): DriverDescription[] {
    return driverList.map(([name, driver]) => ({
      driver: name,
      name: driver.title,
      kinds: kindsOf(driver),
      summary: driver.summary,
      options_schema: z.record(z.string(), z.json()).parse(z.toJSONSchema(driver.options)),
    }));
  }

  async close(): Promise<void> {
    const families = await Promise.allSettled(this.#started.values());
    const open = families.flatMap((family) => (family.status === 'fulfilled' ? [family.value.close()] : []));
    await Promise.all(open);
  }

  /** `name` is in the catalogue. */
  #start(name: string): Promise<AnyFamily> {
    const load = (loaders as Readonly<Record<string, Load>>)[name];
    const family = this.#started.get(name) ?? load?.().then(({ driver }) => driver.start(this.#environment));
    if (family === undefined) return Promise.reject(new DriverError('unsupported', deviceSays('no_driver', { name })));
    this.#started.set(name, family);
    return family;
  }
}
