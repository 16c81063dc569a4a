import { setImmediate } from 'node:timers/promises';
import type { LastValue } from '../../contract/measurement.ts';
import { mostSamples, type SampleFault } from '../../contract/remote/measurement.ts';
import type { LaterWrites } from '../../db/later-writes.ts';
import type { DaemonPort } from '../live/daemon-port.ts';

interface Waiting {
  sample: LastValue;
  note: () => void;
  resolve: () => void;
  reject: (error: unknown) => void;
}

interface BatchOptions {
  daemon: Pick<DaemonPort, 'measurements_create'>;
  later: Pick<LaterWrites, 'together'>;
}

/** Senders answered in one turn of the event loop: their answers take some milliseconds of it. */
const mostTold = 20;

/**
 * Sends samples to the daemon. Those that arrive during a call go together with the next, so that they share its
 * transaction on the disk.
 */
export class SampleBatches {
  readonly #daemon: Pick<DaemonPort, 'measurements_create'>;
  readonly #later: Pick<LaterWrites, 'together'>;
  #waiting: Waiting[] = [];
  #isSending = false;

  constructor({ daemon, later }: BatchOptions) {
    this.#daemon = daemon;
    this.#later = later;
  }

  /**
   * Resolves when the sample is on disk and `note` has recorded its sender, in one transaction with the others. Rejects
   * with the daemon's refusal, or with the error of its client.
   */
  add(sample: LastValue, note: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ sample, note, resolve, reject });
      if (!this.#isSending) void this.#send();
    });
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    while (this.#waiting.length > 0) await this.#sendSome(this.#waiting.splice(0, mostSamples));
    this.#isSending = false;
  }

  async #sendSome(sent: readonly Waiting[]): Promise<void> {
    try {
      const faults = await this.#daemon.measurements_create(sent.map(({ sample }) => sample));
      for (let at = 0; at < sent.length; at += mostTold) {
        this.#tell(sent.slice(at, at + mostTold), faults.slice(at, at + mostTold));
        await setImmediate();
      }
    } catch (error) {
      for (const { reject } of sent) reject(error);
    }
  }

  #tell(sent: readonly Waiting[], faults: readonly (SampleFault | null)[]): void {
    this.#later.together(() => sent.forEach(({ note }, at) => faults[at] == null && note()));
    sent.forEach(({ resolve, reject }, at) => {
      const fault = faults[at];
      if (fault == null) resolve();
      else reject(Object.assign(new Error(fault.message), { code: fault.code }));
    });
  }
}
