import type { DriverDescription, ModbusProbe, ModbusProbed } from '../contract/driver.ts';
import { Refusal } from '../contract/errors.ts';
import { messageOf, type DaemonPort } from './daemon-port.ts';

/** The drivers that the daemon has, and what they find. */
export class DriverService {
  readonly #daemon: Pick<DaemonPort, 'drivers' | 'modbus_probe'>;

  constructor(daemon: Pick<DaemonPort, 'drivers' | 'modbus_probe'>) {
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
}

function refuse(cause: unknown): never {
  throw new Refusal('daemon_unreachable', `the control daemon did not answer: ${messageOf(cause)}`, { cause });
}
