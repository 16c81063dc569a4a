import type { AuditSink } from '../auth/actor.ts';
import type { Now } from '../auth/now.ts';
import type { PasswordCheck } from '../auth/password-check.ts';
import type { SecretBox } from '../auth/secret-box.ts';
import type { BackupResult } from '../contract/backup.ts';
import type { Settings } from '../contract/setting.ts';
import type { OtherCommits } from '../db/content-version.ts';
import type { LaterWrites } from '../db/later-writes.ts';
import type { Database } from '../db/open.ts';
import type { Transact } from '../db/transaction.ts';
import type { Journal } from '../services/alarm/followed-journal.ts';
import type {
  AlarmControl,
  CommissioningControl,
  DaemonEventPort,
  DaemonPort,
  EmergencyStopPort,
} from '../services/live/daemon-port.ts';
import type { Deliver } from '../services/notification/delivery.ts';
import type { Repositories } from './repositories.ts';

/** A connection to the control daemon with all that the services ask of it. */
type DaemonConnection = DaemonPort & DaemonEventPort & AlarmControl & CommissioningControl & EmergencyStopPort;

/** What the services stand on: the same of a server and of a test, which has its own clock, daemon and files. */
export interface ServiceParts {
  /** orangery.db, migrated; one composition a connection. */
  db: Database;
  repositories: Repositories;
  transact: Transact;
  later: LaterWrites;
  /** Of that connection; asked anew at every request when absent. */
  commits?: OtherCommits;
  audit: AuditSink;
  secrets: SecretBox;
  settings: () => Settings;
  /** Epoch ms. */
  clock: Now;
  /** Monotonic ms, by which ages are counted. */
  elapsed: () => number;
  /** Epoch ms by which old things are deleted. */
  trusted: Now;
  log: { warn(message: string): void };
  /** Long work that failed by a fault of ours. */
  onJobFault: (error: unknown) => void;
  /** Told when it could not be seen what becomes of maps and facilities. */
  onLookFault: (error: unknown) => void;
  /** Of this program. */
  version: string;
  /** The data directory. */
  directory: string;
  passwordCheck: Pick<PasswordCheck, 'proveAgain'>;
  /** How the restore ended that this run began with; absent where there was none. */
  lastRestore?: BackupResult | null;
  /** Ends the service and starts it anew; undefined where nobody can. */
  restart?: (() => void) | undefined;
  /** Makes one more connection to the daemon; it may connect at its first call. */
  connectDaemon: () => DaemonConnection;
  /** Path of orangery.db for a worker, where the connection does not know it. */
  orangeryFile?: string;
  /** Path of measurements.db, migrated. */
  measurementsFile: string;
  /** Of control.db. */
  journal: Journal;
  deliver: Deliver;
  /** What is to be ended, from the last to the first, before the database closes. */
  begun: AsyncDisposableStack;
}
