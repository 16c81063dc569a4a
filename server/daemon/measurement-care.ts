import { deviceSays } from '../contract/device-words.ts';
import type {
  ChannelRetention,
  ConditionListener,
  MeasurementWriter,
  StoreCondition,
  StoreSpace,
} from '../measurement/store.ts';
import type { Clock, Timer } from './clock.ts';
import type { EventRing } from './events/events.ts';
import { StateRecorder } from './state-recorder.ts';

/** Half of the time for which readers let an open state go unconfirmed. */
const roundMs = 60_000;
/** The first check of the file waits until the start is over. */
const checkAfterRounds = 1;
const retentionEveryRounds = 60;

const gigabyte = 1e9;
const scarceBytes = gigabyte;
const largeBytes = 20 * gigabyte;
/** How far a value must be back within its limit before the condition ends, as a share of the limit. */
const margin = 0.1;

export interface CareOptions {
  clock: Clock;
  events: Pick<EventRing, 'subscribe'>;
  outputs: ConstructorParameters<typeof StateRecorder>[0]['outputs'];
  writer: MeasurementWriter;
  /** Channels with a retention of their own. */
  retention: () => readonly ChannelRetention[];
  /** The time that has certainly been reached, epoch ms. */
  trustedMs: () => number;
  space: () => Promise<StoreSpace>;
  tell: ConditionListener;
  log: (line: string) => void;
}

/**
 * What the measurement store needs beside samples: it records the states of outputs, deletes old data, and watches file
 * and disk.
 */
export class MeasurementCare {
  readonly #options: CareOptions;
  readonly #states: StateRecorder;
  /** The conditions reported last; none before the first look, as the last daemon may have left an alarm. */
  readonly #active = new Map<StoreCondition['code'], boolean>();
  #timer: Timer | undefined;
  #unsubscribe: (() => void) | undefined;
  #rounds = 0;

  constructor(options: CareOptions) {
    this.#options = options;
    this.#states = new StateRecorder(options);
  }

  /** Called before the outputs are taken up, so that no change is missed. */
  start(): void {
    this.#unsubscribe = this.#options.events.subscribe((event) => this.#states.hear(event));
    this.#arm();
  }

  /** Called when the outputs are in their last state. */
  stop(): void {
    if (this.#unsubscribe === undefined) return;
    this.#unsubscribe();
    this.#unsubscribe = undefined;
    this.#timer?.cancel();
    this.#states.vouch();
  }

  #arm(): void {
    this.#timer = this.#options.clock.after(roundMs, () => {
      this.#arm();
      this.#round();
    });
  }

  #round(): void {
    const { writer, retention, trustedMs, log } = this.#options;
    this.#rounds += 1;
    this.#states.vouch();
    const failed = (error: unknown): void => log(`care of measurements: ${String(error)}`);
    this.#watchSpace().catch(failed);
    if (this.#rounds === checkAfterRounds) writer.check().catch(failed);
    if (this.#rounds % retentionEveryRounds !== 1) return;
    try {
      writer.retain(retention(), trustedMs());
    } catch (error) {
      failed(error); // it is tried again in an hour
    }
  }

  async #watchSpace(): Promise<void> {
    const { database_bytes, free_bytes } = await this.#options.space();
    this.#compare(
      'disk_space_low',
      scarceBytes - free_bytes,
      deviceSays('space_free', { gigabytes: inGigabytes(free_bytes) }),
    );
    this.#compare(
      'database_large',
      database_bytes - largeBytes,
      deviceSays('space_taken', { gigabytes: inGigabytes(database_bytes) }),
    );
  }

  /**
   * `over` is how far a limit is exceeded, bytes. Reports the condition at the first look, when it begins, and when the
   * value is back within by more than the margin.
   */
  #compare(code: StoreCondition['code'], over: number, message: string): void {
    const limit = code === 'disk_space_low' ? scarceBytes : largeBytes;
    const isActive = over > (this.#active.get(code) === true ? -margin * limit : 0);
    if (isActive === this.#active.get(code)) return;
    this.#active.set(code, isActive);
    this.#options.tell({ code, is_active: isActive, message });
  }
}

function inGigabytes(bytes: number): string {
  return (bytes / gigabyte).toFixed(1);
}
