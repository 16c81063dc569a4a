import { beforeEach, describe, expect, it, vi } from 'vitest';
import { shellChannels, type ShellAnswers, type ShellRequest } from '../../../electron/ipc/contract.ts';
import { briefOf } from '../../../server/contract/alarm.ts';
import { electron, resetElectron } from '../../support/fake-electron.ts';

vi.mock('electron', () => electron);
const { alarm } = await import('./opened-shell.ts');
const { openShellGate } = await import('../../../electron/ipc/gate.ts');

const origin = 'https://localhost:8443';
const answer = () => vi.fn<() => Promise<never>>(() => Promise.resolve('answer' as never)); // each its own, here the same
const answers = {
  setupToken: answer(),
  showDataDirectory: answer(),
  status: answer(),
  choose: answer(),
  chooseFolder: answer(),
  openWindow: answer(),
  setLanguage: answer(),
  setTheme: answer(),
  tellAlarms: answer(),
} satisfies ShellAnswers;
const brief = briefOf(alarm(1));
/** What an alarm has that tells neither where it is nor what was measured. */
const nothingKnown = {
  source_kind: 'facility',
  source_id: '',
  source_name: null,
  channel: null,
  role: null,
  name: null,
  value: null,
  limit: null,
  unit: null,
  message: null,
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

  const good: Record<ShellRequest, unknown[]> = {
    setupToken: [],
    showDataDirectory: [],
    status: [],
    chooseFolder: [],
    choose: [{ is_kiosk: true }],
    openWindow: ['/maps/1?x=2'],
    setLanguage: ['ko'],
    setTheme: ['dark'],
    tellAlarms: [[brief]],
  };

  it.each(Object.entries(good))('passes on %s as the contract has it', async (name, sent) => {
    openShellGate(origin, answers);
    const request = name as ShellRequest;
    expect(await ask(shellChannels[request], ownPage, ...sent)).toBe('answer');
    expect(answers[request]).toHaveBeenCalledExactlyOnceWith(...sent);
  });

  it.each<[ShellRequest, unknown[]]>([
    ['setupToken', ['anything']],
    ['choose', []],
    ['choose', [{ is_kiosk: 'yes' }]],
    ['choose', [{ data_directory: '/etc' }]],
    ['openWindow', []],
    ['openWindow', ['https://example.org/']],
    ['openWindow', ['//example.org/']],
    ['openWindow', ['/\\\\example.org/']],
    ['openWindow', ['javascript:alert(1)']],
    ['openWindow', [`/${'x'.repeat(2_000)}`]],
    ['setLanguage', ['../../etc/passwd']],
    ['setTheme', ['sepia']],
    ['tellAlarms', [[{ ...brief, alarm_id: 'no id' }]]],
    ['tellAlarms', [['an alarm']]],
    ['tellAlarms', [Array.from({ length: 501 }, () => brief)]],
    ['tellAlarms', [{ length: 1 }]],
  ])('refuses %s with %j, and does not repeat what was sent', (name, sent) => {
    openShellGate(origin, answers);
    expect(() => ask(shellChannels[name], ownPage, ...sent)).toThrow(`refused: ${name} is not asked so`);
    expect(answers[name]).not.toHaveBeenCalled();
  });

  it('hears alarms of a page of another version: what it does not know is left out', async () => {
    openShellGate(origin, answers);
    const { alarm_id, severity } = brief;
    const older = { alarm_id, severity, code: 'frost', place: 'House 1', message: 'cold' };
    const newer = { ...brief, code: 'of_tomorrow', role: 'of_tomorrow', message: 'x'.repeat(501), more: 1 };
    await ask(shellChannels.tellAlarms, ownPage, [older, newer]);
    expect(answers.tellAlarms).toHaveBeenCalledExactlyOnceWith([
      { ...nothingKnown, alarm_id, severity, code: 'frost', message: 'cold' },
      { ...brief, code: 'custom', role: null, message: null },
    ]);
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
    for (const one of Object.values(answers)) expect(one).not.toHaveBeenCalled();
  });

  it('is taken away again', () => {
    openShellGate(origin, answers)();
    expect(electron.ipcMain.answers.size).toBe(0);
  });
});
