import { contextBridge, ipcRenderer } from 'electron';
import { shellChannels, shellEvents, type ShellAnswers, type ShellApi, type ShellRequest } from '../ipc/contract.ts';

const names = Object.keys(shellChannels) as ShellRequest[]; // keys of a const object
const requests = Object.fromEntries(
  names.map((name) => [name, (...args: unknown[]) => ipcRenderer.invoke(shellChannels[name], ...args)]),
) as ShellAnswers; // one for each channel; the gate answers as the contract says

const api: ShellApi = {
  ...requests,
  // The event itself is not passed on: through it a page would reach ipcRenderer.
  onOpen: (listener) => void ipcRenderer.on(shellEvents.open, (_event, path: string) => listener(path)),
};

contextBridge.exposeInMainWorld('orangery', api);
