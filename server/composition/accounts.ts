import { dirname, join } from 'node:path';
import type { AuditSink } from '../auth/actor.ts';
import { ApiKeys } from '../auth/api-keys.ts';
import { AuditLog } from '../auth/audit.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import type { Now } from '../auth/now.ts';
import { createAuthenticator } from '../auth/database-authenticator.ts';
import { LockOut } from '../auth/lock-out.ts';
import { PasswordCheck } from '../auth/password-check.ts';
import { PasswordHasher, type ScryptCost } from '../auth/password.ts';
import { SecondFactors } from '../auth/second-factors.ts';
import { SecretBox } from '../auth/secret-box.ts';
import { Sessions } from '../auth/sessions.ts';
import type { SetupToken } from '../auth/setup-token.ts';
import { otherCommits, type OtherCommits } from '../db/content-version.ts';
import { LaterWrites } from '../db/later-writes.ts';
import type { Database } from '../db/open.ts';
import { transactor, type Transact } from '../db/transaction.ts';
import { AccountService } from '../services/account/account.ts';
import { ApiKeyService } from '../services/account/api-key.ts';
import { AccountChangeService } from '../services/account/change.ts';
import { Grants } from '../services/account/grants.ts';
import { LoginService } from '../services/account/login.ts';
import { RoleService } from '../services/account/role.ts';
import { SessionService } from '../services/account/session.ts';
import { TotpService } from '../services/account/totp.ts';
import { AuditService } from '../services/record/audit.ts';
import { StorageService } from '../services/record/storage.ts';
import { SettingService } from '../services/setting/setting.ts';
import { repositoriesOf, type Repositories } from './repositories.ts';

interface AccountParts {
  /** orangery.db, migrated; one composition a connection. */
  db: Database;
  /** Its folder, if the connection does not know it. */
  directory?: string;
  /** Of that connection; by default checked anew at every request. */
  commits?: OtherCommits;
  now: Now;
  /** Monotonic ms; default the process's. */
  elapsed?: () => number;
  /** The trusted time, by which old records of the audit are deleted; none are when it is absent. */
  trusted?: Now;
  setupToken?: SetupToken;
  /** Called when this process has made the first account. */
  onSetUp?: () => void;
  passwordCost?: ScryptCost;
  timeZone?: string;
  /** Called with failures to record what was done; the action itself stands. */
  onFault?: (error: unknown) => void;
}

export interface Accounts {
  repositories: Repositories;
  transact: Transact;
  /** For writes that must delay nothing; stop it before the connection is closed. */
  later: LaterWrites;
  storage: StorageService;
  audit: AuditSink;
  /** For what must be stored and read back; its key is beside orangery.db. */
  secrets: SecretBox;
  authenticator: Authenticator;
  accounts: AccountService;
  accountChanges: AccountChangeService;
  roles: RoleService;
  logins: LoginService;
  sessions: SessionService;
  factors: TotpService;
  keys: ApiKeyService;
  audits: AuditService;
  settings: SettingService;
  /** For calls that ask for the password again. */
  passwordCheck: PasswordCheck;
}

/** Composes users, their credentials, the audit and the settings over one connection. */
export function composeAccounts(options: AccountParts): Accounts {
  const { db, directory = dirname(db.name), commits = otherCommits(db), now, onFault, trusted = () => 0 } = options;
  const repositories = repositoriesOf(db);
  const transact = transactor(db);
  const heard = onFault && { onFault };
  const later = new LaterWrites({ db, ...heard });
  const audits = new AuditLog({ rows: repositories.auditRecords, transact, later, now, directory, ...heard });
  const secrets = new SecretBox(join(directory, 'secret.key'));
  const stored = { repositories, transact, later, audit: audits, secrets };
  const parts = { ...stored, ...credentials({ ...stored, ...options }), now };
  const { setupToken, onSetUp, timeZone } = options;
  return {
    ...stored,
    storage: new StorageService(later),
    passwordCheck: parts.passwordCheck,
    authenticator: createAuthenticator({ ...parts, db, otherCommits: commits }),
    accounts: new AccountService({ ...parts, ...(setupToken && { setupToken }), ...(onSetUp && { onSetUp }) }),
    accountChanges: new AccountChangeService(parts),
    roles: new RoleService(parts),
    logins: new LoginService(parts),
    sessions: new SessionService(parts),
    factors: new TotpService(parts),
    keys: new ApiKeyService({ ...parts, trusted }),
    audits: new AuditService(audits, trusted),
    settings: new SettingService({
      ...parts,
      rows: repositories.settings,
      outputs: repositories.outputs,
      ...(timeZone && { timeZone }),
    }),
  };
}

interface CredentialParts extends Pick<Accounts, 'repositories' | 'later' | 'secrets'> {
  now: Now;
  elapsed?: () => number;
  passwordCost?: ScryptCost;
}

function credentials({ repositories, now, elapsed, passwordCost, secrets, later }: CredentialParts) {
  const { users, roles } = repositories;
  const passwords = new PasswordHasher(passwordCost);
  const knowsAddress = (account: string, address: string): boolean => users.knowsAddress(account, address);
  const lockOut = new LockOut({ ...(elapsed && { elapsed }), knowsAddress });
  return {
    users,
    roles,
    grants: new Grants(users, roles),
    sessions: new Sessions(repositories.sessions, now, later),
    keys: new ApiKeys(repositories.apiKeys, now, later),
    passwords,
    passwordCheck: new PasswordCheck({ users, passwords, lockOut }),
    factors: new SecondFactors({ rows: repositories.totp, secrets, later, now }),
  };
}
