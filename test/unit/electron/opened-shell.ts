import { join } from 'node:path';
import { beforeEach, vi } from 'vitest';
import type { Host } from '../../../electron/host.ts';
import { Shell } from '../../../electron/shell.ts';
import { ShellMemory } from '../../../electron/shell-state.ts';
import type { Alarm } from '../../../server/contract/alarm.ts';
import { testFolder } from '../../support/database.ts';
import { electron, resetElectron, type FakeItem } from '../../support/fake-electron.ts';

/* A shell over the stand-in of Electron, for tests that have put it in Electron's place by vi.mock. */

export const url = 'https://localhost:8443';
let folder: string;
let listening: (alarms: Alarm[]) => void;

beforeEach(() => {
  resetElectron();
  folder = testFolder();
  vi.stubEnv('XDG_CONFIG_HOME', folder);
});

/** Of the test that runs. */
export const shellFolder = (): string => folder;
export const tell = (alarms: Alarm[]): void => listening(alarms);

export const memory = () => new ShellMemory(join(folder, 'state.json'));
export const updates = { check: vi.fn<() => Promise<boolean>>(), fromFile: vi.fn<() => Promise<boolean>>() };
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

interface Opening {
  kind?: Host['kind'];
  isHidden?: boolean;
  /** What happens before there is a service. */
  meanwhile?: () => void;
}

export function open({ kind = 'hosted', isHidden = false, meanwhile }: Opening = {}) {
  const shell = new Shell({ memory: memory(), directory: folder, isHidden, updates });
  shell.listenForLinks(null);
  shell.begin();
  meanwhile?.();
  shell.open({
    kind,
    url,
    trusts: () => true,
    setupToken: () => null,
    stop: () => Promise.resolve(),
    ...(kind === 'hosted' && {
      watchAlarms: (listener: (alarms: Alarm[]) => void) => {
        listening = listener;
        listener([]);
        return () => undefined;
      },
    }),
  });
  return shell;
}

export const menu = (): FakeItem[] => electron.Menu.setApplicationMenu.mock.lastCall?.[0] ?? [];
export const items = (of: FakeItem[]): FakeItem[] => of.flatMap((one) => [one, ...items(one.submenu ?? [])]);
export const item = (label: string): FakeItem | undefined => items(menu()).find((one) => one.label === label);
export const tray = () => electron.Tray.made[0];
export const trayItem = (label: string) => tray()?.setContextMenu.mock.lastCall?.[0].find((one) => one.label === label);
export const ask = (channel: string, ...args: unknown[]): unknown =>
  electron.ipcMain.answers.get(channel)?.({ senderFrame: { parent: null, url: `${url}/` } }, ...args);

export function alarm(id: number, rest: Partial<Alarm> = {}): Alarm {
  return {
    alarm_id: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
    code: 'wind',
    severity: 'warning',
    state: 'unacknowledged',
    is_raised: true,
    caused_by: null,
    is_first_out: true,
    source_kind: 'facility',
    source_id: 'x',
    source_name: 'House 1',
    channel: null,
    role: null,
    name: null,
    value: null,
    limit: null,
    unit: null,
    message: null,
    occurrences: 1,
    raised_at: '2026-01-01T00:00:00.000Z',
    changed_at: '2026-01-01T00:00:00.000Z',
    acknowledged_by: null,
    acknowledged_at: null,
    shelved_until: null,
    ...rest,
  };
}
