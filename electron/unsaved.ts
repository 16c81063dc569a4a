import { dialog, type BrowserWindow } from 'electron';
import type { Words } from './words.ts';

interface LeaveOptions {
  words: () => Words;
  /** The service has stopped: unsaved changes can no longer be saved, and must not keep the application open. */
  isEnding: () => boolean;
  /** The person stays on the page. */
  stayed: () => void;
}

/** A page with unsaved changes prevents its window from closing. A browser asks then; in Electron this does. */
export function askBeforeLoss(window: BrowserWindow, { words, isEnding, stayed }: LeaveOptions): void {
  let isClosing = false;
  let isAsking = false;
  let mayLeave = false;
  const ask = async (again: () => void): Promise<void> => {
    const { unsaved } = words();
    isAsking = true;
    const { response } = await dialog.showMessageBox(window, {
      type: 'question',
      message: unsaved.title,
      detail: unsaved.text,
      buttons: [unsaved.stay, unsaved.leave],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    });
    isAsking = false;
    if (response !== 1) return stayed();
    if (window.isDestroyed()) return;
    mayLeave = true;
    again();
  };
  window.on('close', () => (isClosing = true));
  window.webContents.on('did-navigate', () => (mayLeave = false));
  window.webContents.on('will-prevent-unload', (event) => {
    if (mayLeave || isEnding()) return event.preventDefault();
    const again = isClosing ? () => window.close() : () => window.reload();
    isClosing = false;
    if (!isAsking) void ask(again);
  });
}
