import { z } from 'zod';
import type { DriverDescription, ModbusProbe, ModbusProbed } from '../../contract/driver.ts';
import type { MqttProbe, MqttProbed } from '../../contract/mqtt-found.ts';
import type { Device, DeviceKind, DriverEnvironment, DriverModule } from './driver.ts';
import { DriverError } from './driver.ts';

export interface ConnectDevice {
  driver: string;
  device_id: string;
  kind: DeviceKind;
  /** As stored; checked against the schema of the driver. */
  options: unknown;
  channels: readonly number[];
}

/** A module with its options type closed over. */
interface Loaded {
  connect(device: ConnectDevice, signal: AbortSignal): Promise<Device>;
  probe(where: ModbusProbe, signal: AbortSignal): Promise<ModbusProbed>;
  discover(where: MqttProbe, signal: AbortSignal): Promise<MqttProbed>;
  close(): Promise<void>;
  describe(): DriverDescription;
}

/** Literal paths, so that the bundler sees them; a family is loaded with its first device. */
const loaders: Readonly<Record<string, (environment: DriverEnvironment) => Promise<Loaded>>> = {
  simulated: async (environment) => loaded((await import('./simulated/index.ts')).driver, environment),
  modbus: async (environment) => loaded((await import('./modbus/index.ts')).driver, environment),
  mqtt: async (environment) => loaded((await import('./mqtt/index.ts')).driver, environment),
  http: async (environment) => loaded((await import('./http/index.ts')).driver, environment),
  virtual: async (environment) => loaded((await import('./virtual/index.ts')).driver, environment),
};

/** The families of one daemon: each is loaded and started when its first device is connected. */
export class DriverFamilies {
  readonly #environment: DriverEnvironment;
  readonly #loaded = new Map<string, Promise<Loaded>>();

  constructor(environment: DriverEnvironment) {
    this.#environment = environment;
  }

  /** Throws DriverError `unsupported` on an unknown driver or options that it refuses, and what the driver throws. */
  async connect(device: ConnectDevice, signal: AbortSignal): Promise<Device> {
    const family = await this.#load(device.driver);
    return family.connect(device, signal);
  }

  /** Whether a Modbus unit is there. */
  async probeModbus(where: ModbusProbe, signal: AbortSignal): Promise<ModbusProbed> {
    return (await this.#load('modbus')).probe(where, signal);
  }

  /** Which devices announced themselves on an MQTT broker. */
  async discoverMqtt(where: MqttProbe, signal: AbortSignal): Promise<MqttProbed> {
    return (await this.#load('mqtt')).discover(where, signal);
  }

  /** Every driver that the daemon has. */
  async describe(): Promise<DriverDescription[]> {
    const families = await Promise.all(Object.keys(loaders).map((name) => this.#load(name)));
    return families.map((family) => family.describe());
  }

  async close(): Promise<void> {
    const families = await Promise.allSettled(this.#loaded.values());
    const open = families.flatMap((family) => (family.status === 'fulfilled' ? [family.value.close()] : []));
    await Promise.all(open);
  }

  #load(name: string): Promise<Loaded> {
    const known = this.#loaded.get(name);
    if (known !== undefined) return known;
    const loader = Object.hasOwn(loaders, name) ? loaders[name] : undefined;
    if (loader === undefined) return Promise.reject(new DriverError('unsupported', `there is no driver "${name}"`));
    const family = loader(this.#environment);
    this.#loaded.set(name, family);
    return family;
  }
}

function loaded<Options>(module: DriverModule<Options>, environment: DriverEnvironment): Loaded {
  let family: ReturnType<typeof module.start> | undefined;
  return {
    connect: async (device, signal) => {
      const options = module.options.safeParse(device.options);
      if (!options.success) throw new DriverError('unsupported', z.prettifyError(options.error));
      family ??= module.start(environment);
      return family.connect({ ...device, options: options.data }, signal);
    },
    probe: async (where, signal) => {
      family ??= module.start(environment);
      if (family.probe === undefined) throw new DriverError('unsupported', `${module.title} has nothing to probe`);
      return family.probe(where, signal);
    },
    discover: async (where, signal) => {
      family ??= module.start(environment);
      if (family.discover === undefined)
        throw new DriverError('unsupported', `${module.title} has nothing to discover`);
      return family.discover(where, signal);
    },
    close: async () => family?.close(),
    describe: () => ({
      driver: module.name,
      name: module.title,
      kinds: [...module.kinds],
      summary: module.summary,
      options_schema: z.record(z.string(), z.json()).parse(z.toJSONSchema(module.options)),
    }),
  };
}
