import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { replaceFile } from '../../db/replace-file.ts';
import { raiseable } from './alarm-key.ts';
import type { AlarmPort } from './alarms.ts';
import { firstMemory, lookAtClock, stepMs, type ClockMemory, type ClockStep } from './clock-judgement.ts';
import type { Clock, Timer } from '../clock.ts';

interface WatchOptions {
  clock: Clock;
  alarms: AlarmPort;
  /** Where the memory of the time of day outlives the daemon. */
  file: string;
  log: (line: string) => void;
}

const lookMs = 10_000;
const saveEveryLooks = 60;
const hourMs = 3_600_000;

const ofDaemon = { code: 'clock_set', source_kind: 'daemon', source_id: 'daemon' } as const;
const stored = z.strictObject({ seen_ms: z.number(), trusted_ms: z.number(), steady_ms: z.number() });

/**
 * Watches the time of day: raises an alarm when the clock jumps, and says what time has certainly been reached. A clock
 * that is far ahead, even at a start, advances that only once it has run steadily for a week.
 */
export class ClockWatch {
  readonly #options: WatchOptions;
  #memory: ClockMemory;
  #elapsedMs: number;
  #timer: Timer | undefined;
  #looks = 0;
  #saving: Promise<void> = Promise.resolve();

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#memory = firstMemory(options.clock.now());
    this.#elapsedMs = options.clock.elapsed();
  }

  /** Called before anything is deleted. */
  start(): void {
    const { clock, file } = this.#options;
    this.#memory = readMemory(file) ?? this.#memory;
    this.#elapsedMs = clock.elapsed();
    this.#look(true);
    this.#save();
    this.#arm();
  }

  async stop(): Promise<void> {
    if (this.#timer === undefined) return;
    this.#timer.cancel();
    this.#timer = undefined;
    this.#look(false);
    this.#save();
    await this.#saving;
  }

  /** The time that has certainly been reached, epoch ms; never later than the clock. */
  trustedMs(): number {
    if (this.#timer !== undefined) this.#look(false);
    return this.#memory.trusted_ms;
  }

  #arm(): void {
    this.#timer = this.#options.clock.after(lookMs, () => {
      this.#arm();
      this.#looks += 1;
      const isStep = this.#look(false);
      if (isStep || this.#looks % saveEveryLooks === 0) this.#save();
    });
  }

  #look(isStart: boolean): boolean {
    const { clock } = this.#options;
    const [wall_ms, elapsedMs] = [clock.now(), clock.elapsed()];
    const { memory, step } = lookAtClock(this.#memory, { wall_ms, ran_ms: elapsedMs - this.#elapsedMs, isStart });
    this.#memory = memory;
    this.#elapsedMs = elapsedMs;
    if (step !== null) this.#tell(step);
    if (wall_ms - memory.trusted_ms <= stepMs) this.#options.alarms.clear({ ...ofDaemon, name: 'far_ahead' });
    return step !== null;
  }

  /** A jump is over once it is reported; that the clock may still be wrong is not. */
  #tell({ kind, from_ms, to_ms }: ClockStep): void {
    const { alarms, log } = this.#options;
    const message = `${iso(from_ms)} -> ${iso(to_ms)}`;
    log(`the clock went ${kind === 'back' ? 'back' : 'ahead'}: ${message}`);
    if (kind !== 'ahead') alarms.clear({ ...ofDaemon, name: 'far_ahead' });
    alarms.raise(
      raiseable({ ...ofDaemon, ...sizeOf(Math.abs(to_ms - from_ms)), severity: 'warning', name: kind, message }),
    );
    if (kind !== 'far_ahead') alarms.clear({ ...ofDaemon, name: kind });
  }

  #save(): void {
    const { file, log } = this.#options;
    const text = `${JSON.stringify(this.#memory)}\n`;
    this.#saving = this.#saving
      .then(() => replaceFile(file, text))
      .catch((error: unknown) => log(`what is known of the clock could not be kept: ${String(error)}`));
  }
}

/** A missing or unreadable file counts as none: the clock proves itself anew. */
function readMemory(file: string): ClockMemory | undefined {
  try {
    return stored.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

function sizeOf(ms: number): { value: number; unit: string } {
  const hours = ms / hourMs;
  if (hours >= 48) return { value: Math.round(hours / 24), unit: 'd' };
  return hours >= 2 ? { value: Math.round(hours), unit: 'h' } : { value: Math.round(ms / 60_000), unit: 'min' };
}

function iso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
