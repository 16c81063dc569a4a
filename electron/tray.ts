import { join } from 'node:path';
import { app, Menu, nativeImage, Tray, type MenuItemConstructorOptions } from 'electron';
import type { Host } from './host.ts';
import { fill } from '../server/contract/fill.ts';
import type { Words } from './words.ts';

export interface TrayState {
  host: Pick<Host, 'kind' | 'url'>;
  /** Alarms that are not acknowledged yet. */
  alarms: number;
  opensAtLogin: boolean;
  showsAlarms: boolean;
}

export interface TrayCommands {
  open: (path: string | null) => void;
  setOpensAtLogin: (isWanted: boolean) => void;
  setShowsAlarms: (isWanted: boolean) => void;
  quit: () => void;
}

/** The lines of the tray's menu, in their order. */
function trayLines({ tray: words }: Words, state: TrayState, commands: TrayCommands): MenuItemConstructorOptions[] {
  const { host, alarms, opensAtLogin, showsAlarms } = state;
  return [
    { label: fill(words[host.kind], { url: host.url }), enabled: false },
    { label: alarmLine(words, alarms), click: () => commands.open('/alarms') },
    { type: 'separator' },
    { label: words.open, click: () => commands.open(null) },
    {
      label: words.login,
      type: 'checkbox',
      checked: opensAtLogin,
      click: ({ checked }) => commands.setOpensAtLogin(checked),
    },
    {
      label: words.notify,
      type: 'checkbox',
      checked: showsAlarms,
      click: ({ checked }) => commands.setShowsAlarms(checked),
    },
    { type: 'separator' },
    { label: words.quit, click: () => commands.quit() },
  ];
}

function alarmLine(words: Words['tray'], alarms: number): string {
  if (alarms === 0) return words.quiet;
  return alarms === 1 ? words.alarm : fill(words.alarms, { n: alarms });
}

/** The icon of the application in the notification area; it stays when the windows are closed. */
export class ShellTray {
  readonly #tray: Tray;
  readonly #icons: string;
  readonly #commands: TrayCommands;

  constructor(icons: string, commands: TrayCommands) {
    this.#icons = icons;
    this.#commands = commands;
    this.#tray = new Tray(this.#image(0));
    this.#tray.on('click', () => commands.open(null));
  }

  show(words: Words, state: TrayState): void {
    this.#tray.setImage(this.#image(state.alarms));
    this.#tray.setToolTip(`Orangery · ${alarmLine(words.tray, state.alarms)}`);
    this.#tray.setContextMenu(Menu.buildFromTemplate(trayLines(words, state, this.#commands)));
    app.setBadgeCount(state.alarms);
  }

  #image(alarms: number): Electron.NativeImage {
    return nativeImage.createFromPath(join(this.#icons, alarms === 0 ? 'tray.png' : 'tray-alarm.png'));
  }
}
