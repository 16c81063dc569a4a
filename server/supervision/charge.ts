import { deviceSays } from '../contract/device-words.ts';
import { unfinishedExit } from '../daemon/ipc.ts';
import { endHolder, isGone, seeOff, wasAskedToEnd, type FoundDaemon } from './discovery.ts';
import type { DaemonProcess } from './launcher.ts';
import type { DaemonControl } from '../orangery_client.ts';

const stopMs = 3_000;

/** The supervisor's callbacks for a daemon. */
export interface ChargeEvents {
  /** It is alive. */
  sign(): void;
  /** It is gone: the reason, or null when it was asked to end. Called once. */
  ended(reason: string | null): void;
}

/** A supervised daemon. */
export interface Charge {
  /** Asks for a sign of life, if the daemon sends none by itself. */
  look(): void;
  /** Kills it at once. */
  kill(): void;
  /** Ends it; true when it says itself that it brought every output to its state. */
  stop(): Promise<boolean>;
}

/** Asked to end, whether or not every output was brought to its state. */
const asked: readonly (number | null)[] = [0, unfinishedExit];

function endedBy(code: number | null): string {
  return code === null ? deviceSays('daemon_signal') : deviceSays('daemon_code', { value: code });
}

/** A daemon that this process started: it sends a sign every second, and its exit code tells why it ended. */
export class StartedDaemon implements Charge {
  readonly #process: DaemonProcess;
  /** Its exit code. */
  readonly #gone = Promise.withResolvers<number | null>();

  constructor(process: DaemonProcess, events: ChargeEvents) {
    this.#process = process;
    process.onMessage(() => events.sign());
    process.onExit((code) => {
      this.#gone.resolve(code);
      events.ended(asked.includes(code) ? null : endedBy(code));
    });
  }

  look(): void {
    // It sends signs by itself.
  }

  kill(): void {
    this.#process.kill();
  }

  async stop(): Promise<boolean> {
    const late = setTimeout(() => this.kill(), stopMs);
    this.#process.terminate();
    const code = await this.#gone.promise; // also of one that died before, or had not begun to listen
    clearTimeout(late);
    return code === 0;
  }
}

interface Adoption extends FoundDaemon {
  /** Closed with the daemon. */
  control: DaemonControl;
}

/** A daemon that was already running: it is polled, and its data directory tells why it ended. */
export class AdoptedDaemon implements Charge {
  readonly #adoption: Adoption;
  readonly #events: ChargeEvents;
  #isAsking = false;
  #isGone = false;

  constructor(adoption: Adoption, events: ChargeEvents) {
    this.#adoption = adoption;
    this.#events = events;
  }

  look(): void {
    if (!this.#isAsking && !this.#isGone) void this.#ask();
  }

  kill(): void {
    endHolder(this.#adoption);
  }

  async stop(): Promise<boolean> {
    this.#isGone = true;
    await stopInOrder(this.#adoption);
    return false; // how it ended, only the next one can tell
  }

  /** A daemon that does not answer is gone only once it has released its data directory; otherwise it may be hung. */
  async #ask(): Promise<void> {
    const { control } = this.#adoption;
    this.#isAsking = true;
    try {
      await control.daemon_status();
      this.#events.sign();
    } catch {
      if (!this.#isGone && isGone(this.#adoption)) this.#end();
    } finally {
      this.#isAsking = false;
    }
  }

  #end(): void {
    this.#isGone = true;
    this.#adoption.control.close();
    this.#events.ended(wasAskedToEnd(this.#adoption) ? null : deviceSays('daemon_ended'));
  }
}

/** Stops a daemon that this process did not start, and closes the connection. */
export async function stopInOrder(adoption: Adoption): Promise<void> {
  const { control } = adoption;
  void control.terminate_daemon().catch(() => undefined); // one that hangs does not answer
  await seeOff(adoption, stopMs);
  control.close();
}
