import { app, dialog } from 'electron';
import type { Logger } from 'pino';
import type { ShellMemory } from './shell-state.ts';
import type { Words } from './words.ts';

/** A fault of this process more often in so long is not answered with another start. */
const mostCrashes = 3;
const crashWindowMs = 10 * 60_000;
const stopMs = 5_000;

interface CrashOptions {
  memory: ShellMemory;
  log: Logger;
  words: () => Words;
  /** A person has quit: what fails on the way to the end starts nothing again. */
  isQuitting: () => boolean;
  /** Drives the outputs safe as far as that can be done. */
  stop: () => Promise<void>;
}

/** Whether it has failed too often to be started again by itself. */
function isCrashLoop(crashes_ms: readonly number[], now_ms: number): boolean {
  return crashes_ms.filter((at) => at <= now_ms && now_ms - at < crashWindowMs).length > mostCrashes;
}

/**
 * After a fault that nothing caught the state of this process is not to be trusted: its outputs are driven safe and it is
 * started anew. One that is ended from outside is not heard here; then its outputs rest on the devices' dead-man timers.
 */
export function startAgainAfterCrash({ memory, log, words, isQuitting, stop }: CrashOptions): void {
  let isEnding = false;
  const end = (error: unknown): void => {
    log.fatal({ err: error }, 'the application failed');
    if (isEnding) return;
    isEnding = true;
    const now_ms = Date.now();
    const crashes_ms = [...memory.state.crashes_ms.slice(-20), now_ms];
    memory.change({ crashes_ms });
    const leave = (): void => {
      clearTimeout(late);
      if (isQuitting()) return app.exit(1);
      if (!isCrashLoop(crashes_ms, now_ms)) app.relaunch();
      else dialog.showErrorBox(words().crashLoop.title, words().crashLoop.text);
      app.exit(1);
    };
    const late = setTimeout(leave, stopMs);
    stop().then(leave, leave);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}
