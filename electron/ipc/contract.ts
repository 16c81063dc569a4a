/** What the page can ask of the desktop shell, and nothing else. In a plain browser `window.orangery` is absent. */
interface ShellRequests {
  /** The token for making the first administrator; null once there is one. */
  setupToken: { arguments: []; answer: string | null };
  /** Opens the folder that holds the databases in the file manager. */
  showDataDirectory: { arguments: []; answer: void };
}

export type ShellRequest = keyof ShellRequests;

export type ShellApi = {
  [Name in ShellRequest]: (...args: ShellRequests[Name]['arguments']) => Promise<ShellRequests[Name]['answer']>;
};

/** Channel of each request. The preload offers exactly these, the main process answers exactly these. */
export const shellChannels = {
  setupToken: 'orangery:setup-token',
  showDataDirectory: 'orangery:show-data-directory',
} as const satisfies Record<ShellRequest, string>;
