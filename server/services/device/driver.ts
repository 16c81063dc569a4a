import type { DriverDescription, ModbusProbe, ModbusProbed } from '../../contract/driver.ts';
import type { MqttProbe, MqttProbed } from '../../contract/mqtt-found.ts';
import { Refusal } from '../../contract/errors.ts';
import { messageOf, type DaemonPort } from '../live/daemon-port.ts';

type Search = Pick<DaemonPort, 'modbus_probe' | 'mqtt_probe'>;

interface DriverOptions {
  daemon: Pick<DaemonPort, 'drivers'>;
  connect: () => Search & { close(): void };
}

/** The drivers that the daemon has, and what they find. A search takes seconds: each has a connection of its own. */
export class DriverService {
  readonly #options: DriverOptions;

  constructor(options: DriverOptions) {
    this.#options = options;
  }

  /** Throws `daemon_unreachable`. */
  async list(): Promise<DriverDescription[]> {
    return this.#options.daemon.drivers().catch(refuse);
  }

  /** Throws `daemon_unreachable`. */
  async probeModbus({ host, port, unit_id }: ModbusProbe): Promise<ModbusProbed> {
    return this.#search((daemon) => daemon.modbus_probe(host, unit_id, port));
  }

  /** Throws `daemon_unreachable`. */
  async probeMqtt(broker: MqttProbe): Promise<MqttProbed> {
    return this.#search((daemon) => daemon.mqtt_probe(broker));
  }

  async #search<Found>(call: (daemon: Search) => Promise<Found>): Promise<Found> {
    const daemon = this.#options.connect();
    try {
      return await call(daemon).catch(refuse);
    } finally {
      daemon.close();
    }
  }
}

function refuse(cause: unknown): never {
  throw new Refusal('daemon_unreachable', `the control daemon did not answer: ${messageOf(cause)}`, { cause });
}
