import { randomUUID } from 'node:crypto';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { Sessions } from '../../auth/sessions.ts';
import { Refusal, refuseChanged } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import { permissions as allPermissions, type Permission } from '../../contract/permission.ts';
import type { Role, RoleCreate, RoleUpdate } from '../../contract/role.ts';
import type { RoleRepository } from '../../db/repositories/role.ts';
import type { UserRepository } from '../../db/repositories/user.ts';
import type { Transact } from '../../db/transaction.ts';
import type { Grants } from './grants.ts';

export interface RoleOptions {
  roles: RoleRepository;
  users: UserRepository;
  grants: Grants;
  sessions: Sessions;
  audit: AuditSink;
  transact: Transact;
}

/** The roles: built-in ones, which never change, and those that an installation adds. Identifiers in lower case. */
export class RoleService {
  readonly #options: RoleOptions;

  constructor(options: RoleOptions) {
    this.#options = options;
  }

  list(): Role[] {
    return this.#options.roles.list();
  }

  /** Throws `not_found`. */
  get(id: string): Role {
    const role = this.#options.roles.get(id);
    if (role === undefined) throw new Refusal('not_found', 'there is no such role');
    return role;
  }

  /** Throws `forbidden`, `already_exists`. */
  create(wanted: RoleCreate, actor: Actor): Role {
    const { roles, grants, audit, transact } = this.#options;
    const { name } = wanted;
    const role = { unique_id: randomUUID(), name, permissions: inOrder(wanted.permissions), is_delivered: false };
    grants.refuseUnheld(role.permissions, actor);
    return transact(() => {
      this.#refuseKnown(role);
      roles.insert(role);
      audit.record({ kind: 'role.create', actor, target: role.unique_id, after: role });
      return role;
    });
  }

  /**
   * Changes what the patch names; changed permissions end the sessions of the role's users except that of this call.
   * Throws `not_found`, `read_only_field`, `conflict` for a built-in role, `forbidden`, `already_exists`.
   */
  update(id: string, patch: RoleUpdate, actor: Actor): Role {
    return this.#options.transact(() => {
      const before = this.get(id);
      refuseChanged(patch, before, ['unique_id', 'is_delivered']);
      const after = {
        ...before,
        name: patch.name ?? before.name,
        permissions: inOrder(patch.permissions ?? before.permissions),
      };
      if (after.name !== before.name || !isSame(after, before)) this.#store(before, after, actor);
      return after;
    });
  }

  /** Throws `not_found`, `conflict` for a built-in role, `forbidden`, `in_use` with its users. */
  remove(id: string, actor: Actor): void {
    const { roles, users, grants, audit, transact } = this.#options;
    transact(() => {
      const role = this.get(id);
      refuseBuiltIn(role);
      grants.refuseUnheld(role.permissions, actor);
      const holders = users.listOfRole(role.name).map((user) => ({ kind: 'user', ...user }));
      if (holders.length > 0) {
        const names = holders.map(({ name }) => name);
        throw new Refusal('in_use', why('role_held', { names }), { members: { users: holders } });
      }
      roles.remove(id);
      audit.record({ kind: 'role.delete', actor, target: id, before: role });
    });
  }

  #store(before: Role, after: Role, actor: Actor): void {
    const { roles, sessions, grants, audit } = this.#options;
    refuseBuiltIn(before);
    grants.refuseUnheld([...before.permissions, ...after.permissions], actor);
    this.#refuseKnown(after);
    roles.update(after);
    if (!isSame(after, before)) sessions.endOfRole(after.name, actor.session_id);
    audit.record({ kind: 'role.update', actor, target: after.unique_id, before, after });
  }

  #refuseKnown({ unique_id, name }: Role): void {
    const known = this.#options.roles.findByName(name);
    if (known === undefined || known.unique_id === unique_id) return;
    throw new Refusal('already_exists', 'another role has this name', { members: { unique_id: known.unique_id } });
  }
}

function inOrder(held: readonly Permission[]): Permission[] {
  return allPermissions.filter((permission) => held.includes(permission));
}

function isSame(one: Role, other: Role): boolean {
  return one.permissions.join() === other.permissions.join();
}

function refuseBuiltIn({ is_delivered, name }: Role): void {
  if (is_delivered) throw new Refusal('conflict', why('role_built_in', { name }));
}
