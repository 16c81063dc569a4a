import type { Alarm } from '../server/contract/alarm.ts';

/** The service behind the windows: one that runs in this process, or one already running on this machine. */
export interface Host {
  kind: 'hosted' | 'attached';
  /** https://localhost:PORT */
  url: string;
  /** Whether a certificate (PEM) shown by a server of this name is the service's. */
  trusts: (certificate: string, hostName: string) => boolean | Promise<boolean>;
  /** For making the first administrator; null once there is one, or when another process has it. */
  setupToken: () => string | null;
  /**
   * Calls the listener with the alarms that are not normal, now and at each change; absent when only the page may see
   * them.
   */
  watchAlarms?: (listener: (alarms: Alarm[]) => void) => () => void;
  /** Ends what runs in this process. */
  stop: () => Promise<void>;
}
