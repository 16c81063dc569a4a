import { writeSync } from 'node:fs';
import pino, { type Logger } from 'pino';

/** Lines that wait for a disk that is full or a reader that is slow; of more the oldest are given up. */
const mostWaiting = 1_000;
const retryMs = 1_000;

/** Writes some of the bytes, at least one, and says how many. Throws what the system says. */
type Write = (bytes: Buffer) => number;

/**
 * Where log lines go: never in the way of anything. What is not taken is kept and tried again; how many lines were given up meanwhile is
 * a line of its own. (pino's own destination ends the process at the first line that a full disk refuses, and never returns from that.)
 */
export class LogDestination {
  readonly #write: Write;
  #waiting: Buffer[] = [];
  #lost = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(write: Write) {
    this.#write = write;
  }

  write(line: string): void {
    this.#waiting.push(Buffer.from(line));
    if (this.#waiting.length > mostWaiting) {
      this.#waiting.splice(1, 1); // of the first a part may be written
      this.#lost += 1;
    }
    if (this.#timer === undefined) this.#flush();
  }

  #flush(): void {
    this.#timer = undefined;
    try {
      for (let [line] = this.#waiting; line !== undefined; [line] = this.#waiting) {
        const written = this.#write(line);
        if (written < line.length) this.#waiting[0] = line.subarray(written);
        else this.#waiting.shift();
      }
      if (this.#lost === 0) return;
      const line = lossOf(this.#lost);
      this.#lost = 0;
      this.write(line);
    } catch {
      this.#timer = setTimeout(() => this.#flush(), retryMs).unref();
    }
  }
}

/** Of the program, on standard error. */
export function openLog(level: string): Logger {
  return pino({ level }, new LogDestination((bytes) => writeSync(2, bytes)));
}

function lossOf(count: number): string {
  return `${JSON.stringify({ level: 40, time: Date.now(), msg: `${count} lines of the log were lost` })}\n`;
}
