import type { AlarmCondition } from '../../contract/alarm.ts';
import type { OutputRef } from '../../contract/output.ts';
import { raiseable } from './alarm-key.ts';
import type { AlarmPort } from './alarms.ts';
import type { Clock, Timer } from '../clock.ts';

/** The loop of a controller: whose it is, how long it may be silent, and what to do when it hangs. */
export interface Loop extends Pick<AlarmCondition, 'source_kind' | 'source_id' | 'source_name'> {
  /** Silence after which it counts as stalled, s. */
  limit_s: number;
  /** Outputs that it switches beside those that it drives by `Outputs.drive`. */
  outputs: readonly OutputRef[];
  /** Abandons what hangs and starts again. */
  beginAnew: () => void;
}

/** How a watched loop reports. */
export interface Watched {
  /** Reports the end of a round. */
  beat(): void;
  end(): void;
}

interface WatchdogOptions {
  clock: Clock;
  alarms: AlarmPort;
}

/** Drives safe what a controller drives, and what else it switched. */
type MakeSafe = (controllerId: string, outputs: readonly OutputRef[]) => void;

interface Entry {
  loop: Loop;
  silentMs: number;
  isStalled: boolean;
}

const lookMs = 1_000;

/**
 * Notices loops that hang: it raises an alarm, drives their outputs safe and starts them anew. A standstill of the
 * whole process is for its supervisor and the dead-man timers of devices: after a gap in its own time it judges no
 * loop.
 */
export class Watchdog {
  readonly #options: WatchdogOptions;
  readonly #entries = new Set<Entry>();
  #timer: Timer | undefined;
  #lookedAt = 0;
  #makeSafe: MakeSafe = () => undefined;

  constructor(options: WatchdogOptions) {
    this.#options = options;
  }

  start(makeSafe: MakeSafe): void {
    this.#makeSafe = makeSafe;
    this.#lookedAt = this.#options.clock.elapsed();
    this.#arm();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  watch(loop: Loop): Watched {
    const entry: Entry = { loop, silentMs: 0, isStalled: false };
    this.#entries.add(entry);
    return {
      beat: () => this.#revive(entry),
      end: () => {
        this.#revive(entry);
        this.#entries.delete(entry);
      },
    };
  }

  #arm(): void {
    this.#timer = this.#options.clock.after(lookMs, () => {
      this.#arm();
      this.#look();
    });
  }

  #look(): void {
    const nowMs = this.#options.clock.elapsed();
    const passedMs = Math.min(nowMs - this.#lookedAt, 2 * lookMs);
    this.#lookedAt = nowMs;
    for (const entry of [...this.#entries]) {
      entry.silentMs += passedMs;
      if (!entry.isStalled && entry.silentMs > entry.loop.limit_s * 1000) this.#take(entry);
    }
  }

  #take(entry: Entry): void {
    const { source_kind, source_id, source_name, limit_s, outputs, beginAnew } = entry.loop;
    entry.isStalled = true;
    this.#options.alarms.raise(
      raiseable({
        code: 'watchdog',
        severity: 'warning',
        source_kind,
        source_id,
        source_name,
        value: Math.round(entry.silentMs / 1000),
        limit: limit_s,
        unit: 's',
      }),
    );
    this.#makeSafe(source_id, outputs);
    beginAnew();
  }

  #revive(entry: Entry): void {
    entry.silentMs = 0;
    if (!entry.isStalled) return;
    entry.isStalled = false;
    this.#options.alarms.clear({ code: 'watchdog', source_id: entry.loop.source_id });
  }
}
