import { app, dialog } from 'electron';
import type { Host } from './host.ts';
import type { Words } from './words.ts';

/**
 * A stop that takes longer ends the application where it stands. After a daemon that hung, another one drives outputs
 * safe, which takes most of it.
 */
const stopMs = 10_000;
/** What the start began is undone in order: a migration or restore of databases takes as long as it needs. */
const startMs = 60_000;

/**
 * Lets the application end only once its outputs are safe, its databases closed and `after` is done, however often a
 * quit is requested and even during the start. The returned signal is aborted at the first request.
 */
export function stopBeforeQuit(starting: Promise<Pick<Host, 'stop'>>, after: () => Promise<void>): AbortSignal {
  const asked = new AbortController();
  let isStopped = false;
  const within = async <Result>(ms: number, work: Promise<Result>): Promise<Result> => {
    const late = setTimeout(() => app.exit(1), ms);
    return work.finally(() => clearTimeout(late));
  };
  const stop = async (): Promise<void> => {
    const service = await within(startMs, starting);
    await within(stopMs, service.stop());
    await after();
    isStopped = true;
    app.quit();
  };
  app.on('before-quit', (event) => {
    if (isStopped) return;
    event.preventDefault();
    if (asked.signal.aborted) return;
    asked.abort();
    stop().catch(() => app.exit(1));
  });
  return asked.signal;
}

const choices = ['stop', 'close', 'cancel'] as const;
type QuitChoice = (typeof choices)[number];

/** Says what a quit will stop, and asks. Signals and the end of a session are obeyed without asking. */
export async function askToQuit({ quit: words }: Words): Promise<QuitChoice> {
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    message: words.title,
    detail: words.text,
    buttons: choices.map((one) => words[one]),
    defaultId: 1,
    cancelId: 2,
    noLink: true,
  });
  return choices[response] ?? 'cancel';
}
