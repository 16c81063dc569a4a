import type { OutputCommand } from '../../contract/daemon.ts';
import type { CommandAnswer, OverrideRelease } from '../../contract/remote/output.ts';
import type { DaemonPort } from './daemon-port.ts';

export interface CommandConnection extends Pick<DaemonPort, 'output_command' | 'override_release'> {
  close(): void;
}

interface Line {
  connection: CommandConnection;
  /** Commands under way and waiting. */
  load: number;
}

/** Several connections for commands: on a single one a device that answers late would delay all others. */
export class CommandPool {
  readonly #lines: Line[];

  constructor(connect: () => CommandConnection, size = 4) {
    this.#lines = Array.from({ length: size }, () => ({ connection: connect(), load: 0 }));
  }

  /** Sends by the least busy connection. Rejects with that connection's error. */
  output_command(command: OutputCommand): Promise<CommandAnswer> {
    return this.#send((connection) => connection.output_command(command));
  }

  /** Like `output_command`. */
  override_release(...asked: Parameters<DaemonPort['override_release']>): Promise<OverrideRelease> {
    return this.#send((connection) => connection.override_release(...asked));
  }

  async #send<Answer>(call: (connection: CommandConnection) => Promise<Answer>): Promise<Answer> {
    const line = this.#lines.reduce((least, one) => (one.load < least.load ? one : least));
    line.load += 1;
    try {
      return await call(line.connection);
    } finally {
      line.load -= 1;
    }
  }

  close(): void {
    for (const { connection } of this.#lines) connection.close();
  }
}
