import type { Alarm } from '../../server/contract/alarm.ts';
import type { Language } from '../../server/contract/language.ts';

/** What the shell is, and what a person chose of it. */
export interface ShellStatus {
  /** hosted: control runs in this application and ends with it; attached: in a service of the machine. */
  host: 'hosted' | 'attached';
  version: string;
  /** Of the databases; null where another user has them. */
  data_directory: string | null;
  opens_at_login: boolean;
  shows_alarms: boolean;
  is_kiosk: boolean;
}

export type ShellChoices = Pick<ShellStatus, 'opens_at_login' | 'shows_alarms' | 'is_kiosk'>;

/** How the page is shown; `system`: as the desktop says. */
export const shellThemes = ['light', 'dark', 'system'] as const;
type ShellTheme = (typeof shellThemes)[number];

/** What is told of an alarm outside the page. */
export type AlarmBrief = Pick<Alarm, 'alarm_id' | 'severity' | 'code'> & { place: string; message: string };

/** What the page can ask of the desktop shell, and nothing else. In a plain browser `window.orangery` is absent. */
interface ShellRequests {
  /** The token for making the first administrator; null once there is one. */
  setupToken: { arguments: []; answer: string | null };
  /** Opens the folder that holds the databases in the file manager. */
  showDataDirectory: { arguments: []; answer: void };
  status: { arguments: []; answer: ShellStatus };
  /** Changes what it names. */
  choose: { arguments: [Partial<ShellChoices>]; answer: ShellStatus };
  /** The system's dialog for a folder; null where none was chosen. */
  chooseFolder: { arguments: []; answer: string | null };
  /** Another window on a page of the application. */
  openWindow: { arguments: [path: string]; answer: void };
  /** The language of the page, which menu and tray take. */
  setLanguage: { arguments: [Language]; answer: void };
  /** The colours of the page, which dialogs, menus and the page of a start take. */
  setTheme: { arguments: [ShellTheme]; answer: void };
  /** The alarms that need somebody, where the page alone may know them. */
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
