import { ipcMain, type IpcMainInvokeEvent } from 'electron';
import { originOf } from '../security.ts';
import { shellChannels, type ShellAnswers, type ShellRequest } from './contract.ts';
import { shellPayloads } from './payloads.ts';

/** Refuses a request that does not come from the top frame of our own page. */
function assertOwnPage(event: IpcMainInvokeEvent, origin: string): void {
  const frame = event.senderFrame;
  const isOwn = frame !== null && frame.parent === null && originOf(frame.url) === origin;
  if (!isOwn) throw new Error('refused: not from the page of this application');
}

/** The arguments as the contract defines them. Throws for anything else, without repeating what was sent. */
function checked(name: ShellRequest, sent: unknown[]): unknown[] {
  const { success, data } = shellPayloads[name].safeParse(sent);
  if (!success) throw new Error(`refused: ${name} is not asked so`);
  return data;
}

/** Answers the page's requests; returns a function that removes the handlers. */
export function openShellGate(origin: string, answers: ShellAnswers): () => void {
  const names = Object.keys(shellChannels) as ShellRequest[]; // keys of a const object
  for (const name of names) {
    const answer = answers[name] as (...args: unknown[]) => Promise<unknown>; // its arguments are checked
    ipcMain.handle(shellChannels[name], (event, ...sent: unknown[]) => {
      assertOwnPage(event, origin);
      return answer(...checked(name, sent));
    });
  }
  return () => {
    for (const name of names) ipcMain.removeHandler(shellChannels[name]);
  };
}
