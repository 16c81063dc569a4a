import type { AlarmBrief } from '../../server/contract/alarm.ts';
import type { Language } from '../../server/contract/language.ts';

/** The state of the shell, with the person's choices. */
export interface ShellStatus {
  /** hosted: control runs in this application and ends with it; attached: it runs in a service of the machine. */
  host: 'hosted' | 'attached';
  version: string;
  /** Folder of the databases; null when it belongs to another user. */
  data_directory: string | null;
  opens_at_login: boolean;
  shows_alarms: boolean;
  is_kiosk: boolean;
}

export type ShellChoices = Pick<ShellStatus, 'opens_at_login' | 'shows_alarms' | 'is_kiosk'>;

/** The page's theme; `system` follows the desktop. */
export const shellThemes = ['light', 'dark', 'system'] as const;
type ShellTheme = (typeof shellThemes)[number];

/** All that the page can ask of the desktop shell. In a plain browser `window.orangery` is absent. */
interface ShellRequests {
  /** The token for making the first administrator; null once there is one. */
  setupToken: { arguments: []; answer: string | null };
  /** Opens the folder that holds the databases in the file manager. */
  showDataDirectory: { arguments: []; answer: void };
  status: { arguments: []; answer: ShellStatus };
  /** Changes what it names. */
  choose: { arguments: [Partial<ShellChoices>]; answer: ShellStatus };
  /** The system's dialog for a folder; null when none was chosen. */
  chooseFolder: { arguments: []; answer: string | null };
  /** Another window on a page of the application. */
  openWindow: { arguments: [path: string]; answer: void };
  /** The language of the page, which menu and tray adopt. */
  setLanguage: { arguments: [Language]; answer: void };
  /** The colours of the page, which dialogs, menus and the start page adopt. */
  setTheme: { arguments: [ShellTheme]; answer: void };
  /** The alarms that need attention, when only the page may see them. */
  tellAlarms: { arguments: [AlarmBrief[]]; answer: void };
}

export type ShellRequest = keyof ShellRequests;
export type ShellArguments<Name extends ShellRequest> = ShellRequests[Name]['arguments'];

export type ShellAnswers = {
  [Name in ShellRequest]: (...args: ShellArguments<Name>) => Promise<ShellRequests[Name]['answer']>;
};

export type ShellApi = ShellAnswers & {
  /** Calls the listener with the page that the menu, a notification or a link opens. */
  onOpen: (listener: (path: string) => void) => void;
};

/** Channel of each request. The preload offers exactly these, the main process answers exactly these. */
export const shellChannels = {
  setupToken: 'orangery:setup-token',
  showDataDirectory: 'orangery:show-data-directory',
  status: 'orangery:status',
  choose: 'orangery:choose',
  chooseFolder: 'orangery:choose-folder',
  openWindow: 'orangery:open-window',
  setLanguage: 'orangery:set-language',
  setTheme: 'orangery:set-theme',
  tellAlarms: 'orangery:tell-alarms',
} as const satisfies Record<ShellRequest, string>;

/** What the shell sends to a page. */
export const shellEvents = { open: 'orangery:open' } as const;
