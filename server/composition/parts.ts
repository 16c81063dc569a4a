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
import type { OwedStop } from '../services/device/owed-stop.ts';
import type {
  AlarmControl,
  CommissioningControl,
  DaemonEventPort,
  DaemonPort,
  EmergencyStopPort,
} from '../services/live/daemon-port.ts';
import type { Deliver } from '../services/notification/delivery.ts';
import type { Repositories } from './repositories.ts';

/** A connection to the control daemon with every call that the services make. */
type DaemonConnection = DaemonPort & DaemonEventPort & AlarmControl & CommissioningControl & EmergencyStopPort;

/** What the services are built on, in a server as in a test, which has its own clock, daemon and files. */
export interface ServiceParts {
  /** orangery.db, migrated; one composition a connection. */
  db: Database;
  repositories: Repositories;
  transact: Transact;
  later: LaterWrites;
  /** Of that connection; by default checked anew at every request. */
  commits?: OtherCommits;
  audit: AuditSink;
  secrets: SecretBox;
  settings: () => Settings;
  /** Epoch ms. */
  clock: Now;
  /** Monotonic ms, by which ages are counted. */
  elapsed: () => number;
  /** The trusted time, epoch ms, by which old records are deleted. */
  trusted: Now;
  log: { warn(message: string): void };
  /** Called with failures of long work that are our own fault. */
  onJobFault: (error: unknown) => void;
  /** Called when a look at changes of maps and facilities failed. */
  onLookFault: (error: unknown) => void;
  /** Of this program. */
  version: string;
  /** The data directory. */
  directory: string;
  passwordCheck: Pick<PasswordCheck, 'proveAgain'>;
  /** How the restore ended with which this run began; absent when there was none. */
  lastRestore?: BackupResult | null;
  /** Restarts the service; undefined when nothing would restart it. */
  restart?: (() => void) | undefined;
  /** Makes one more connection to the daemon; it may connect at its first call. */
  connectDaemon: () => DaemonConnection;
  /** The emergency stop that no daemon has answered. */
  owedStop: OwedStop;
  /** Ends the daemon in order, with its outputs safe; undefined when it is another's. */
  endDaemon?: () => Promise<void>;
  /** Path of orangery.db for a worker, if the connection does not know it. */
  orangeryFile?: string;
  /** Path of measurements.db, migrated. */
  measurementsFile: string;
  /** Of control.db. */
  journal: Journal;
  deliver: Deliver;
  /** What to end, from the last to the first, before the database closes. */
  begun: AsyncDisposableStack;
}
