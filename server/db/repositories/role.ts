import type { Database, Statement } from 'better-sqlite3';
import { builtInRoles, permission, type Permission } from '../../contract/permission.ts';
import type { Role } from '../../contract/role.ts';
import { foldName } from '../folded-name.ts';

interface RoleRow {
  unique_id: string;
  name: string;
  permissions: string;
}

const columns = 'unique_id, name, permissions';

/** The roles of orangery.db. Names are unique regardless of case. */
export class RoleRepository {
  readonly #db: Database;
  readonly #permissions: Statement<[string], string>;

  constructor(db: Database) {
    this.#db = db;
    this.#permissions = db.prepare<[string], string>('SELECT permissions FROM roles WHERE name = ?').pluck();
  }

  list(): Role[] {
    return this.#db.prepare<[], RoleRow>(`SELECT ${columns} FROM roles ORDER BY rowid`).all().map(fromRow);
  }

  /** `id` in lower case. */
  get(id: string): Role | undefined {
    return this.#one('unique_id', id);
  }

  /** Finds a role by name, ignoring case. */
  findByName(name: string): Role | undefined {
    return this.#one('name_folded', foldName(name));
  }

  /** The permissions of the role with exactly this name; undefined when there is none. */
  permissionsOf(name: string): Permission[] | undefined {
    const text = this.#permissions.get(name);
    return text === undefined ? undefined : permission.array().parse(JSON.parse(text));
  }

  insert({ unique_id, name, permissions }: Omit<Role, 'is_delivered'>): void {
    this.#db
      .prepare('INSERT INTO roles (unique_id, name, name_folded, permissions) VALUES (?, ?, ?, ?)')
      .run(unique_id, name, foldName(name), JSON.stringify(permissions));
  }

  /** Users keep the role under its new name. */
  update({ unique_id, name, permissions }: Omit<Role, 'is_delivered'>): void {
    this.#db
      .prepare('UPDATE roles SET name = ?, name_folded = ?, permissions = ? WHERE unique_id = ?')
      .run(name, foldName(name), JSON.stringify(permissions), unique_id);
  }

  remove(id: string): void {
    this.#db.prepare('DELETE FROM roles WHERE unique_id = ?').run(id);
  }

  #one(column: 'unique_id' | 'name_folded', value: string): Role | undefined {
    const row = this.#db.prepare<[string], RoleRow>(`SELECT ${columns} FROM roles WHERE ${column} = ?`).get(value);
    return row && fromRow(row);
  }
}

function fromRow({ unique_id, name, permissions }: RoleRow): Role {
  return {
    unique_id,
    name,
    permissions: permission.array().parse(JSON.parse(permissions)),
    is_delivered: Object.hasOwn(builtInRoles, name),
  };
}
