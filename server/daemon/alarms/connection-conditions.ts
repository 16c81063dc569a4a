import type { Connection } from '../../contract/drivers/connection.ts';
import type { Clock, Timer } from '../clock.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { raiseable } from './alarm-key.ts';
import type { Alarms } from './alarms.ts';
import { connectionOfDevice } from './needs.ts';

interface ConnectionConditionsOptions {
  clock: Clock;
  configuration: Pick<Configuration, 'list' | 'version'>;
  alarms: Pick<Alarms, 'raise' | 'suspect' | 'clear' | 'clearWhere'>;
}

interface Lost extends Connection {
  failure: string;
  isSure: boolean;
}

/** With fewer devices the alarm of the device itself says more. */
const fewestDevices = 2;
const lookMs = 1_000;

/** Raises the alarm of each connection that is lost and that several active devices share. */
export class ConnectionConditions {
  readonly #options: ConnectionConditionsOptions;
  /** As their drivers last said, by their id. */
  readonly #lost = new Map<string, Lost>();
  #version = '';
  #timer: Timer | undefined;

  constructor(options: ConnectionConditionsOptions) {
    this.#options = options;
  }

  /** Called before the controllers start. */
  start(): void {
    this.#look();
    this.#arm();
  }

  stop(): void {
    this.#timer?.cancel();
  }

  /** As of `DriverEnvironment`. */
  tell({ id, name }: Connection, failure: string | null, isSure = true): void {
    if (failure === null) {
      this.#lost.delete(id);
      return this.#options.alarms.clear({ code: 'connection_lost', source_id: id });
    }
    const lost: Lost = { id, name, failure, isSure };
    this.#lost.set(id, lost);
    this.#judge(lost);
  }

  #arm(): void {
    this.#timer = this.#options.clock.after(lookMs, () => {
      this.#arm();
      this.#look();
    });
  }

  /** Drivers report changes alone, but settings too decide whether a connection is shared. */
  #look(): void {
    const { alarms, configuration } = this.#options;
    const version = configuration.version();
    if (version === this.#version) return;
    this.#version = version;
    alarms.clearWhere(({ code, source_id }) => code === 'connection_lost' && !this.#isShared(source_id));
    for (const lost of this.#lost.values()) this.#judge(lost);
  }

  #judge({ id: source_id, name: source_name, failure, isSure }: Lost): void {
    if (!this.#isShared(source_id)) return;
    const about = { source_kind: 'connection', source_name, severity: 'warning' } as const;
    const condition = raiseable({ code: 'connection_lost', source_id, ...about, message: failure.slice(0, 500) });
    if (isSure) this.#options.alarms.raise(condition);
    else this.#options.alarms.suspect(condition);
  }

  /** Whether several active devices are reached by this connection. */
  #isShared(connectionId: string): boolean {
    const devices = (['input', 'output', 'lcd'] as const).flatMap((word) => this.#options.configuration.list(word));
    const isOnIt = devices.filter((one) => one.is_activated && connectionOfDevice(one)?.id === connectionId);
    return isOnIt.length >= fewestDevices;
  }
}
