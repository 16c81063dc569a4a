import { ipcMain, type IpcMainInvokeEvent } from 'electron';
import { shellChannels, type ShellApi, type ShellRequest } from './contract.ts';

/** Refuses a request that does not come from the top frame of our own page. */
function assertOwnPage(event: IpcMainInvokeEvent, origin: string): void {
  const frame = event.senderFrame;
  const isOwn =
    frame !== null && frame.parent === null && URL.canParse(frame.url) && new URL(frame.url).origin === origin;
  if (!isOwn) throw new Error('refused: not from the page of this application');
}

/** Answers the page's requests; returns what takes the answers away again. */
export function openShellGate(origin: string, answers: ShellApi): () => void {
  const names = Object.keys(shellChannels) as ShellRequest[]; // keys of a const object
  for (const name of names) {
    ipcMain.handle(shellChannels[name], (event) => {
      assertOwnPage(event, origin);
      return answers[name]();
    });
  }
  return () => {
    for (const name of names) ipcMain.removeHandler(shellChannels[name]);
  };
}
