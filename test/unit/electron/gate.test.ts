import { beforeEach, describe, expect, it, vi } from 'vitest';
import { shellChannels, type ShellApi } from '../../../electron/ipc/contract.ts';
import { electron, resetElectron } from '../../support/fake-electron.ts';

vi.mock('electron', () => electron);
const { openShellGate } = await import('../../../electron/ipc/gate.ts');

const origin = 'https://localhost:8443';
const answers = {
  setupToken: vi.fn<ShellApi['setupToken']>(() => Promise.resolve('token')),
  showDataDirectory: vi.fn<ShellApi['showDataDirectory']>(() => Promise.resolve()),
};

beforeEach(resetElectron);

function ask(channel: string, senderFrame: unknown, ...args: unknown[]): unknown {
  return electron.ipcMain.answers.get(channel)?.({ senderFrame }, ...args);
}

const ownPage = { parent: null, url: `${origin}/setup` };

describe('the gate', () => {
  it('answers exactly the channels of the contract', () => {
    openShellGate(origin, answers);
    expect([...electron.ipcMain.answers.keys()].sort()).toEqual(Object.values(shellChannels).sort());
  });

  it('answers the top frame of our own page, and passes nothing on that it sent', async () => {
    openShellGate(origin, answers);
    expect(await ask(shellChannels.setupToken, ownPage, 'anything')).toBe('token');
    expect(answers.setupToken).toHaveBeenCalledExactlyOnceWith();
  });

  it.each([
    ['a frame that is gone', null],
    ['a frame inside our page', { parent: ownPage, url: `${origin}/setup` }],
    ['another site', { parent: null, url: 'https://example.org/' }],
    ['another port', { parent: null, url: 'https://localhost:9443/' }],
    ['plain HTTP', { parent: null, url: 'http://localhost:8443/' }],
    ['a file', { parent: null, url: 'file:///index.html' }],
    ['a page without an origin', { parent: null, url: 'about:blank' }],
    ['a frame that has loaded nothing', { parent: null, url: '' }],
  ])('refuses %s on every channel', (_, frame) => {
    openShellGate(origin, answers);
    for (const channel of Object.values(shellChannels)) expect(() => ask(channel, frame)).toThrow('refused');
    expect(answers.setupToken).not.toHaveBeenCalled();
    expect(answers.showDataDirectory).not.toHaveBeenCalled();
  });

  it('is taken away again', () => {
    openShellGate(origin, answers)();
    expect(electron.ipcMain.answers.size).toBe(0);
  });
});
