import type { Actor } from '../../auth/actor.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type { Permission } from '../../contract/permission.ts';
import type { User } from '../../contract/user.ts';
import type { RoleRepository } from '../../db/repositories/role.ts';
import type { UserRepository } from '../../db/repositories/user.ts';

/** Who may grant what: a permission can be granted only by those who have it. */
export class Grants {
  readonly #users: UserRepository;
  readonly #roles: RoleRepository;

  constructor(users: UserRepository, roles: RoleRepository) {
    this.#users = users;
    this.#roles = roles;
  }

  /**
   * The actor with present permissions: hashing a password takes long enough to lose a role. Throws `forbidden` for a
   * user who was disabled or deleted.
   */
  renewed(actor: Actor): Actor {
    if (actor.user_id === null) return actor;
    const user = this.#users.get(actor.user_id);
    if (user?.is_enabled !== true)
      throw new Refusal('forbidden', 'the account that asked for this was closed meanwhile');
    const now = new Set(this.#roles.permissionsOf(user.role));
    return { ...actor, permissions: new Set([...actor.permissions].filter((permission) => now.has(permission))) };
  }

  /** Throws `forbidden` if the actor lacks one of the permissions. */
  refuseUnheld(granted: readonly Permission[], actor: Actor): void {
    const lacking = granted.filter((permission) => !actor.permissions.has(permission));
    if (lacking.length === 0) return;
    throw new Refusal('forbidden', 'a permission that the caller lacks cannot be granted', {
      members: { permissions: lacking },
    });
  }

  /** Throws `unknown_reference`, or `forbidden` if the role has permissions that the actor lacks. */
  refuseRole(role: string, actor: Actor): void {
    const granted = this.#roles.permissionsOf(role);
    if (granted === undefined) throw refuseField('unknown_reference', 'role', why('no_such_role'));
    this.refuseUnheld(granted, actor);
  }

  /**
   * Setting a user's password or making a key for the user allows acting as that user. Throws `forbidden` if the user
   * has permissions that the actor lacks.
   */
  refuseOver({ role }: User, actor: Actor): void {
    this.refuseUnheld(this.#roles.permissionsOf(role) ?? [], actor);
  }
}

/** Throws `forbidden` for another user's data without edit_users. */
export function refuseStranger(userId: string, actor: Actor): void {
  if (userId === actor.user_id || actor.permissions.has('edit_users')) return;
  throw new Refusal('forbidden', 'what is not your own needs the permission edit_users', {
    members: { permission: 'edit_users' },
  });
}
