import type { Database, Statement } from 'better-sqlite3';
import type { User } from '../../contract/user.ts';
import { foldName } from '../folded-name.ts';

interface UserRow extends Omit<User, 'is_enabled' | 'language'> {
  language: User['language'];
  is_enabled: number;
}

interface NewUser extends Omit<User, 'last_login_at'> {
  password_hash: string;
  created_at: string;
}

/** What a log-in is checked against. */
export interface LoginRow {
  unique_id: string;
  password_hash: string;
  is_enabled: number;
}

const columns = 'unique_id, username, role, email, language, is_enabled, last_login_at';

/** The users of orangery.db. Usernames are unique regardless of case. */
export class UserRepository {
  readonly #db: Database;
  readonly #any: Statement<[], number>;
  readonly #login: Statement<[string], LoginRow>;

  constructor(db: Database) {
    this.#db = db;
    this.#any = db.prepare<[], number>('SELECT 1 FROM users LIMIT 1').pluck();
    this.#login = db.prepare('SELECT unique_id, password_hash, is_enabled FROM users WHERE username_folded = ?');
  }

  any(): boolean {
    return this.#any.get() !== undefined;
  }

  list(): User[] {
    return this.#db.prepare<[], UserRow>(`SELECT ${columns} FROM users ORDER BY username_folded`).all().map(fromRow);
  }

  /** `id` in lower case. */
  get(id: string): User | undefined {
    const row = this.#db.prepare<[string], UserRow>(`SELECT ${columns} FROM users WHERE unique_id = ?`).get(id);
    return row && fromRow(row);
  }

  findLogin(username: string): LoginRow | undefined {
    return this.#login.get(foldName(username));
  }

  insert(user: NewUser): void {
    this.#db
      .prepare(
        `INSERT INTO users
           (unique_id, username, username_folded, password_hash, role, email, language, is_enabled, created_at)
         VALUES (@unique_id, @username, @folded, @password_hash, @role, @email, @language, @is_enabled, @created_at)`,
      )
      .run({ ...user, folded: foldName(user.username), is_enabled: Number(user.is_enabled) });
  }

  /** Stores the fields of a user that can change; neither name nor password. */
  update({ unique_id, role, email, language, is_enabled }: User): void {
    this.#db
      .prepare('UPDATE users SET role = ?, email = ?, language = ?, is_enabled = ? WHERE unique_id = ?')
      .run(role, email, language, Number(is_enabled), unique_id);
  }

  setPassword(id: string, hash: string): void {
    this.#db.prepare('UPDATE users SET password_hash = ? WHERE unique_id = ?').run(hash, id);
  }

  /** With sessions, keys and second factor. */
  remove(id: string): void {
    this.#db.prepare('DELETE FROM users WHERE unique_id = ?').run(id);
  }

  /** Whether another enabled user has the role. */
  hasOther({ unique_id, role }: Pick<User, 'unique_id' | 'role'>): boolean {
    const other = this.#db.prepare('SELECT 1 FROM users WHERE role = ? AND is_enabled = 1 AND unique_id <> ? LIMIT 1');
    return other.get(role, unique_id) !== undefined;
  }

  listOfRole(role: string): { unique_id: string; name: string }[] {
    return this.#db
      .prepare<[string], { unique_id: string; name: string }>(
        'SELECT unique_id, username AS name FROM users WHERE role = ? ORDER BY username_folded',
      )
      .all(role);
  }

  loggedIn(id: string, address: string | null, at: string): void {
    this.#db.prepare('UPDATE users SET last_login_at = ? WHERE unique_id = ?').run(at, id);
    if (address === null) return;
    this.#db
      .prepare(
        `INSERT INTO login_addresses (user_id, address, last_login_at) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET last_login_at = excluded.last_login_at`,
      )
      .run(id, address, at);
  }

  /** Whether the account has logged in from the address before. */
  knowsAddress(username: string, address: string): boolean {
    return (
      this.#db
        .prepare(
          `SELECT 1 FROM login_addresses JOIN users ON users.unique_id = login_addresses.user_id
           WHERE username_folded = ? AND address = ?`,
        )
        .get(foldName(username), address) !== undefined
    );
  }
}

function fromRow(row: UserRow): User {
  return { ...row, is_enabled: row.is_enabled === 1 };
}
