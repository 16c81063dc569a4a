import { messageOf } from '../../contract/message-of.ts';
import type { Transact } from '../../db/transaction.ts';

interface ReceiptsOptions {
  transact: Transact;
  log: { warn(message: string): void };
}

/**
 * What deliveries leave to be written. Receipts that the disk refuses wait in memory for the next transaction: a sender
 * that begins nothing before it sends no message twice.
 */
export class Receipts {
  readonly #options: ReceiptsOptions;
  #waiting: (() => void)[] = [];

  constructor(options: ReceiptsOptions) {
    this.#options = options;
  }

  get areStored(): boolean {
    return this.#waiting.length === 0;
  }

  /** Writes a receipt, or lets it wait. Never throws. */
  add(receipt: () => void): void {
    this.#waiting.push(receipt);
    try {
      this.storedWith(() => undefined);
    } catch (error) {
      this.#options.log.warn(`it was not noted yet how a message was taken: ${messageOf(error)}`);
    }
  }

  /** Runs work in one transaction, after the receipts that wait. */
  storedWith<Result>(work: () => Result): Result {
    const result = this.#options.transact(() => {
      for (const receipt of this.#waiting) receipt();
      return work();
    });
    this.#waiting = [];
    return result;
  }
}
