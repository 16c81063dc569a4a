import type { Alarm } from '../server/contract/alarm.ts';

/** The service behind the windows: one that runs in this process, or one of this machine that runs already. */
export interface Host {
  kind: 'hosted' | 'attached';
  /** https://localhost:PORT */
  url: string;
  /** Whether a certificate that a server of that name showed is the service's, PEM. */
  trusts: (certificate: string, hostName: string) => boolean | Promise<boolean>;
  /** For making the first administrator; null once there is one, and where another process knows it. */
  setupToken: () => string | null;
  /** Calls the listener with the alarms that are not normal, now and at each change; absent where only its page may know them. */
  watchAlarms?: (listener: (alarms: Alarm[]) => void) => () => void;
  /** Ends what runs in this process. */
  stop: () => Promise<void>;
}
