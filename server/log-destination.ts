import { write, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { keptLogs, logFile, mostLogBytes } from './db/log-files.ts';
import { RotatingFile } from './db/rotating-file.ts';

/** Maximum lines that wait for a full disk or a slow reader; beyond it the oldest are dropped. */
const mostWaiting = 1_000;
const retryMs = 1_000;
const standardError = 2;

export interface LogSink {
  /** Writes some of the bytes, at least one, and resolves with how many. Rejects with the system's error. */
  write: (bytes: Buffer) => Promise<number>;
  /** All of them synchronously, for the end of a process. */
  writeNow: (bytes: Buffer) => void;
}

/**
 * The destination of log lines, which never blocks: a slow disk or reader occupies a thread of the system, not the one
 * that controls. Lines that cannot be written are kept and retried; the number of dropped lines becomes a line itself.
 * (pino's own destination ends the process at the first line that a full disk refuses, and never returns from that.)
 */
export class LogDestination {
  readonly #sink: LogSink;
  #waiting: Buffer[] = [];
  #lost = 0;
  #isBusy = false;
  #flushing: Promise<void> = Promise.resolve();

  constructor(sink: LogSink) {
    this.#sink = sink;
  }

  write(line: string): void {
    this.#waiting.push(Buffer.from(line));
    if (this.#waiting.length > mostWaiting) {
      this.#waiting.splice(1, 1); // of the first a part may be written
      this.#lost += 1;
    }
    if (!this.#isBusy) this.#flushing = this.#flush();
  }

  /**
   * Resolves when all waiting lines are written or refused, or after `mostMs`; called before an end that can wait, so
   * that no line is written twice.
   */
  async settled(mostMs: number): Promise<void> {
    await Promise.race([this.#flushing, pause(mostMs)]);
  }

  /** Writes the waiting lines while the process ends; refused ones are lost. A line under way may be written twice. */
  end(): void {
    try {
      for (const line of this.#waiting.splice(0)) this.#sink.writeNow(line);
    } catch {
      // There is nowhere left to report it.
    }
  }

  async #flush(): Promise<void> {
    this.#isBusy = true;
    try {
      for (let [line] = this.#waiting; line !== undefined; [line] = this.#waiting) {
        const written = await this.#sink.write(line);
        if (written < line.length) this.#waiting[0] = line.subarray(written);
        else this.#waiting.shift();
        if (this.#waiting.length === 0) this.#tellLoss();
      }
      this.#isBusy = false;
    } catch {
      setTimeout(() => void this.#flush(), retryMs).unref();
    }
  }

  #tellLoss(): void {
    if (this.#lost > 0) this.#waiting.push(Buffer.from(lossOf(this.#lost)));
    this.#lost = 0;
  }
}

const writing = promisify(write);

/** Standard error of this process. */
export function openStandardError(): LogDestination {
  return new LogDestination({
    write: async (bytes) => (await writing(standardError, bytes)).bytesWritten,
    writeNow: (bytes) => void writeSync(standardError, bytes),
  });
}

/** The file in which a program keeps its last lines. */
export function openLogFile(directory: string, program: 'service' | 'daemon'): LogDestination {
  const file = new RotatingFile(logFile(directory, program), { mostBytes: mostLogBytes, kept: keptLogs });
  return new LogDestination({ write: (bytes) => file.write(bytes), writeNow: (bytes) => file.writeNow(bytes) });
}

function lossOf(count: number): string {
  return `${JSON.stringify({ level: 40, time: Date.now(), msg: `${count} lines of the log were lost` })}\n`;
}
