import { app, dialog } from 'electron';
import type { Logger } from 'pino';
import type { ShellMemory } from './shell-state.ts';
import { startAgain } from './start-again.ts';
import type { Words } from './words.ts';

/** After more faults than this within the window, the process is not restarted. */
const mostCrashes = 3;
const crashWindowMs = 10 * 60_000;
const stopMs = 10_000;
/** An unread message must not keep the data directory from the next start. */
const toldMs = 60_000;

interface CrashOptions {
  memory: ShellMemory;
  log: Logger;
  words: () => Words;
  /** A person has quit: a failure on the way to the end restarts nothing. */
  isQuitting: () => boolean;
  /** Drives the outputs safe as far as possible. */
  stop: () => Promise<void>;
}

/** Whether it has failed too often for an automatic restart. */
function isCrashLoop(crashesMs: readonly number[], nowMs: number): boolean {
  return crashesMs.filter((at) => at <= nowMs && nowMs - at < crashWindowMs).length > mostCrashes;
}

function tellLoop({ crashLoop }: Words): void {
  const exit = (): void => app.exit(1);
  setTimeout(exit, toldMs);
  // The error box would block what still ends in this process.
  dialog.showMessageBox({ type: 'error', message: crashLoop.title, detail: crashLoop.text }).then(exit, exit);
}

/**
 * After an uncaught fault the state of this process cannot be trusted: its outputs are driven safe and it is restarted.
 * A process that is killed from outside gets no chance to do so; then its outputs rely on the devices' dead-man timers.
 */
export function startAgainAfterCrash({ memory, log, words, isQuitting, stop }: CrashOptions): void {
  let isEnding = false;
  const end = (error: unknown): void => {
    log.fatal({ err: error }, 'the application failed');
    if (isEnding) return;
    isEnding = true;
    const nowMs = Date.now();
    const crashesMs = [...memory.state.crashes_ms.slice(-20), nowMs];
    memory.change({ crashes_ms: crashesMs });
    const leave = (): void => {
      if (!isQuitting() && isCrashLoop(crashesMs, nowMs)) return tellLoop(words());
      if (!isQuitting()) startAgain();
      app.exit(1);
    };
    const late = new Promise<void>((resolve) => setTimeout(resolve, stopMs));
    void Promise.race([stop().catch(() => undefined), late]).then(leave);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}
