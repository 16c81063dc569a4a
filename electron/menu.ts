import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { Words } from './words.ts';

/** The commands of the menu and the tray. */
export interface ShellCommands {
  newWindow: () => void;
  dataFolder: () => void;
  quit: () => void;
  kiosk: () => void;
  open: (path: string) => void;
  openWindow: (path: string) => void;
  checkUpdates: () => void;
  updateFile: () => void;
}

type Entry = { word: keyof Words['menu']; keys?: string } & (
  | { role: NonNullable<MenuItemConstructorOptions['role']> }
  | { command: 'newWindow' | 'dataFolder' | 'quit' | 'kiosk' | 'checkUpdates' | 'updateFile' }
  | { path: string }
  | { ownWindow: string }
);

/** A separator. */
const line = '-';

const menus: readonly { word: keyof Words['menu']; items: readonly (Entry | typeof line)[] }[] = [
  {
    word: 'file',
    items: [
      { word: 'newWindow', command: 'newWindow', keys: 'CmdOrCtrl+Shift+N' },
      { word: 'closeWindow', role: 'close', keys: 'CmdOrCtrl+W' },
      line,
      { word: 'dataFolder', command: 'dataFolder' },
      line,
      { word: 'quit', command: 'quit', keys: 'CmdOrCtrl+Q' },
    ],
  },
  {
    word: 'edit',
    items: [
      { word: 'undo', role: 'undo', keys: 'CmdOrCtrl+Z' },
      { word: 'redo', role: 'redo', keys: 'CmdOrCtrl+Shift+Z' },
      line,
      { word: 'cut', role: 'cut', keys: 'CmdOrCtrl+X' },
      { word: 'copy', role: 'copy', keys: 'CmdOrCtrl+C' },
      { word: 'paste', role: 'paste', keys: 'CmdOrCtrl+V' },
      { word: 'selectAll', role: 'selectAll', keys: 'CmdOrCtrl+A' },
    ],
  },
  {
    word: 'view',
    items: [
      { word: 'reload', role: 'reload', keys: 'CmdOrCtrl+R' },
      line,
      { word: 'zoomIn', role: 'zoomIn', keys: 'CmdOrCtrl+Plus' },
      { word: 'zoomOut', role: 'zoomOut', keys: 'CmdOrCtrl+-' },
      { word: 'zoomReset', role: 'resetZoom', keys: 'CmdOrCtrl+0' },
      line,
      { word: 'fullScreen', role: 'togglefullscreen', keys: 'F11' },
      { word: 'kiosk', command: 'kiosk', keys: 'CmdOrCtrl+Shift+F11' },
    ],
  },
  {
    word: 'go',
    items: [
      { word: 'overview', path: '/', keys: 'CmdOrCtrl+1' },
      { word: 'map', path: '/maps', keys: 'CmdOrCtrl+2' },
      { word: 'houses', path: '/houses', keys: 'CmdOrCtrl+3' },
      { word: 'devices', path: '/devices', keys: 'CmdOrCtrl+4' },
      { word: 'trends', path: '/trends', keys: 'CmdOrCtrl+5' },
      { word: 'alarms', path: '/alarms', keys: 'CmdOrCtrl+6' },
      line,
      { word: 'settings', path: '/settings', keys: 'CmdOrCtrl+,' },
    ],
  },
  {
    word: 'help',
    items: [
      { word: 'interface', ownWindow: '/api' },
      { word: 'logs', path: '/logs' },
      line,
      { word: 'checkUpdates', command: 'checkUpdates' },
      { word: 'updateFile', command: 'updateFile' },
      line,
      { word: 'about', path: '/settings/about' },
    ],
  },
];

function itemOf(entry: Entry | typeof line, words: Words['menu'], commands: ShellCommands): MenuItemConstructorOptions {
  if (entry === line) return { type: 'separator' };
  const shown = { label: words[entry.word], ...(entry.keys !== undefined && { accelerator: entry.keys }) };
  if ('role' in entry) return { ...shown, role: entry.role };
  if ('command' in entry) return { ...shown, click: () => commands[entry.command]() };
  if ('ownWindow' in entry) return { ...shown, click: () => commands.openWindow(entry.ownWindow) };
  return { ...shown, click: () => commands.open(entry.path) };
}

/** The menu of all windows. */
export function setMenu({ menu: words }: Words, commands: ShellCommands): void {
  const template = menus.map(({ word, items }) => ({
    label: words[word],
    submenu: items.map((entry) => itemOf(entry, words, commands)),
  }));
  // The first menu of macOS is the application's own, whatever its label.
  const own = process.platform === 'darwin' ? [ownMenu(words, commands)] : [];
  Menu.setApplicationMenu(Menu.buildFromTemplate([...own, ...template]));
}

/** Its quit item is ours, which asks first: that of the role would not. */
function ownMenu(words: Words['menu'], commands: ShellCommands): MenuItemConstructorOptions {
  return {
    label: 'Orangery',
    submenu: [
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      { label: words.quit, click: () => commands.quit() },
    ],
  };
}
