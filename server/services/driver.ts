import type { DriverDescription, ModbusProbe, ModbusProbed } from '../contract/driver.ts';
import type { MqttProbe, MqttProbed } from '../contract/mqtt-found.ts';
import { Refusal } from '../contract/errors.ts';
import { messageOf, type DaemonPort } from './daemon-port.ts';

type Finding = Pick<DaemonPort, 'drivers' | 'modbus_probe' | 'mqtt_probe'>;

/** The drivers that the daemon has, and what they find. Searches take seconds: it has a connection of its own. */
export class DriverService {
  readonly #daemon: Finding;

  constructor(daemon: Finding) {
    this.#daemon = daemon;
  }

  /** Throws `daemon_unreachable`. */
  async list(): Promise<DriverDescription[]> {
    return this.#daemon.drivers().catch(refuse);
  }

  /** Throws `daemon_unreachable`. */
  async probeModbus({ host, port, unit_id }: ModbusProbe): Promise<ModbusProbed> {
    return this.#daemon.modbus_probe(host, unit_id, port).catch(refuse);
  }

  /** Throws `daemon_unreachable`. */
  async probeMqtt(broker: MqttProbe): Promise<MqttProbed> {
    return this.#daemon.mqtt_probe(broker).catch(refuse);
  }
}

function refuse(cause: unknown): never {
  throw new Refusal('daemon_unreachable', `the control daemon did not answer: ${messageOf(cause)}`, { cause });
}
