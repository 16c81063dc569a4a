import { contextBridge, ipcRenderer } from 'electron';
import { shellChannels, type ShellApi } from '../ipc/contract.ts';

// ipcRenderer.invoke gives Promise<any>; the contract says what each channel answers.
const api: ShellApi = {
  setupToken: () => ipcRenderer.invoke(shellChannels.setupToken) as Promise<string | null>,
  showDataDirectory: () => ipcRenderer.invoke(shellChannels.showDataDirectory) as Promise<void>,
};

contextBridge.exposeInMainWorld('orangery', api);
