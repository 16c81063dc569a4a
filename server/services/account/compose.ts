import { dirname, join } from 'node:path';
import type { AuditSink } from '../../auth/actor.ts';
import { ApiKeys } from '../../auth/api-keys.ts';
import { AuditLog } from '../../auth/audit.ts';
import type { Authenticator } from '../../auth/authenticator.ts';
import type { Clock } from '../../auth/clock.ts';
import { createAuthenticator } from '../../auth/database-authenticator.ts';
import { LockOut } from '../../auth/lock-out.ts';
import { PasswordCheck } from '../../auth/password-check.ts';
import { PasswordHasher, type ScryptCost } from '../../auth/password.ts';
import { SecondFactors } from '../../auth/second-factors.ts';
import { SecretBox } from '../../auth/secret-box.ts';
import { Sessions } from '../../auth/sessions.ts';
import type { SetupToken } from '../../auth/setup-token.ts';
import { otherCommits, type OtherCommits } from '../../db/content-version.ts';
import type { Database } from '../../db/open.ts';
import { ApiKeyRepository } from '../../db/repositories/api-key.ts';
import { AuditRepository } from '../../db/repositories/audit.ts';
import { RoleRepository } from '../../db/repositories/role.ts';
import { SessionRepository } from '../../db/repositories/session.ts';
import { OutputRepository } from '../../db/repositories/output.ts';
import { SettingRepository } from '../../db/repositories/setting.ts';
import { TotpRepository } from '../../db/repositories/totp.ts';
import { UserRepository } from '../../db/repositories/user.ts';
import { LaterWrites } from '../../db/later-writes.ts';
import { transactor, type Transact } from '../../db/transaction.ts';
import { AccountChangeService } from './change.ts';
import { Grants } from './grants.ts';
import { RoleService } from './role.ts';
import { AccountService } from './account.ts';
import { ApiKeyService } from './api-key.ts';
import { StorageService } from '../record/storage.ts';
import { AuditService } from '../record/audit.ts';
import { SessionService } from './session.ts';
import { TotpService } from './totp.ts';
import { LoginService } from './login.ts';
import { SettingService } from '../setting/setting.ts';

interface ComposeOptions {
  /** orangery.db, migrated; one composition a connection. */
  db: Database;
  /** Where it lies, for a connection that does not know. */
  directory?: string;
  /** Of that connection; asked anew at every request when absent. */
  commits?: OtherCommits;
  now: Clock;
  /** By which old records of the audit are given up; nothing is while it is absent. */
  trusted?: Clock;
  setupToken?: SetupToken;
  /** Called when this process has made the first account. */
  onSetUp?: () => void;
  passwordCost?: ScryptCost;
  timeZone?: string;
  /** Called with what went wrong beside noting what was done; the deed stands. */
  onFault?: (error: unknown) => void;
}

export interface Accounts {
  transact: Transact;
  /** For what must not hold anybody up; to stop before the connection is closed. */
  later: LaterWrites;
  storage: StorageService;
  audit: AuditSink;
  /** For what must be stored and read back; its key lies beside orangery.db. */
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
}

/** Joins what knows of users, their credentials, their deeds and the settings over one connection. */
export function composeAccounts(options: ComposeOptions): Accounts {
  const { db, commits = otherCommits(db), now, passwordCost, timeZone, onFault, trusted, ...setUp } = options;
  const { directory = dirname(db.name) } = options;
  const transact = transactor(db);
  const heard = { ...(onFault && { onFault }) };
  const later = new LaterWrites({ db, ...heard });
  const log = new AuditLog({ rows: new AuditRepository(db), transact, later, now, directory, ...heard });
  const secrets = new SecretBox(join(directory, 'secret.key'));
  const parts = { ...credentials({ db, now, passwordCost, secrets, later }), audit: log, transact, later, now };
  return {
    transact,
    later,
    storage: new StorageService(later),
    audit: log,
    secrets,
    authenticator: createAuthenticator({ db, otherCommits: commits, ...parts }),
    accounts: new AccountService({ ...parts, ...setUp }),
    accountChanges: new AccountChangeService(parts),
    roles: new RoleService(parts),
    logins: new LoginService(parts),
    sessions: new SessionService(parts),
    factors: new TotpService(parts),
    keys: new ApiKeyService(parts),
    audits: new AuditService(log, trusted ?? (() => 0)),
    settings: new SettingService({
      ...{ ...parts, secrets, rows: new SettingRepository(db), outputs: new OutputRepository(db) },
      ...(timeZone && { timeZone }),
    }),
  };
}

interface Credentials {
  users: UserRepository;
  roles: RoleRepository;
  grants: Grants;
  sessions: Sessions;
  keys: ApiKeys;
  passwords: PasswordHasher;
  passwordCheck: PasswordCheck;
  factors: SecondFactors;
}

interface CredentialOptions {
  db: Database;
  now: Clock;
  passwordCost: ScryptCost | undefined;
  secrets: SecretBox;
  later: LaterWrites;
}

function credentials({ db, now, passwordCost, secrets, later }: CredentialOptions): Credentials {
  const users = new UserRepository(db);
  const roles = new RoleRepository(db);
  const passwords = new PasswordHasher(passwordCost);
  const lockOut = new LockOut({ now, knowsAddress: (account, address) => users.knowsAddress(account, address) });
  return {
    users,
    roles,
    grants: new Grants(users, roles),
    sessions: new Sessions(new SessionRepository(db), now, later),
    keys: new ApiKeys(new ApiKeyRepository(db), now, later),
    passwords,
    passwordCheck: new PasswordCheck({ users, passwords, lockOut }),
    factors: new SecondFactors({ rows: new TotpRepository(db), secrets, later, now }),
  };
}
