import type { z } from 'zod';
import type { DriverDescription } from '../../contract/driver.ts';
import { drivers, type SearchingDriver, type SearchOf } from '../../contract/drivers/index.ts';
import { Refusal } from '../../contract/errors.ts';
import { messageOf } from '../../contract/message-of.ts';
import type { DaemonPort } from '../live/daemon-port.ts';

interface DriverOptions {
  daemon: Pick<DaemonPort, 'drivers'>;
  connect: () => Pick<DaemonPort, 'driver_search'> & { close(): void };
}

/** The drivers that the daemon has, and what they find. A search takes seconds, so each has its own connection. */
export class DriverService {
  readonly #options: DriverOptions;

  constructor(options: DriverOptions) {
    this.#options = options;
  }

  /** Throws `daemon_unreachable`. */
  async list(): Promise<DriverDescription[]> {
    return this.#options.daemon.drivers().catch(refuse);
  }

  /** The devices that a driver finds. Throws `daemon_unreachable`. */
  async search<Name extends SearchingDriver>(
    name: Name,
    query: z.output<SearchOf<Name>['query']>,
  ): Promise<z.output<SearchOf<Name>['found']>> {
    const daemon = this.#options.connect();
    try {
      const answer = await daemon.driver_search(name, query);
      return drivers[name].search.found.parse(answer) as z.output<SearchOf<Name>['found']>; // of this very name
    } catch (error) {
      return refuse(error);
    } finally {
      daemon.close();
    }
  }
}

function refuse(cause: unknown): never {
  throw new Refusal('daemon_unreachable', `the control daemon did not answer: ${messageOf(cause)}`, { cause });
}
