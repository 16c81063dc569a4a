import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import type { Permission } from '../../server/contract/permission.ts';
import { roleEndpoints, type Role, type RoleCreate, type RoleUpdate } from '../../server/contract/role.ts';
import { userEndpoints, type User, type UserCreate, type UserUpdate } from '../../server/contract/user.ts';
import { useCall } from '../client/client.ts';
import { useSession } from './session.ts';

/** The accounts of the site and their roles, for users who may edit them. */
export const useUsers = defineStore('users', () => {
  const call = useCall();
  const session = useSession();
  const list = shallowRef<User[]>([]);
  const roles = shallowRef<Role[]>([]);

  async function load(): Promise<void> {
    const [users, all] = await Promise.all([call(userEndpoints.list), call(roleEndpoints.list)]);
    list.value = users.users;
    roles.value = all.roles;
  }

  /** Users who change their own account or role may have other permissions afterwards. */
  async function reload(): Promise<void> {
    await session.load();
    if (session.can('edit_users')) await load();
  }

  async function create(body: UserCreate): Promise<User> {
    const made = await call(userEndpoints.create, { body });
    await load();
    return made;
  }

  async function update(user_id: string, body: UserUpdate): Promise<void> {
    await call(userEndpoints.update, { params: { user_id }, body });
    await reload();
  }

  async function remove(user_id: string): Promise<void> {
    await call(userEndpoints.remove, { params: { user_id } });
    await (user_id === session.user?.unique_id ? session.load() : load());
  }

  async function removeTotp(user_id: string): Promise<void> {
    await call(userEndpoints.removeTotp, { params: { user_id } });
  }

  async function createRole(body: RoleCreate): Promise<void> {
    await call(roleEndpoints.create, { body });
    await load();
  }

  async function updateRole(role_id: string, body: RoleUpdate): Promise<void> {
    await call(roleEndpoints.update, { params: { role_id }, body });
    await reload();
  }

  async function removeRole(role_id: string): Promise<void> {
    await call(roleEndpoints.remove, { params: { role_id } });
    await load();
  }

  const permissionsByRole = computed(() => new Map(roles.value.map((role) => [role.name, role.permissions])));

  return {
    list,
    roles,
    load,
    create,
    update,
    remove,
    removeTotp,
    createRole,
    updateRole,
    removeRole,
    find: (user_id: string): User | undefined => list.value.find((user) => user.unique_id === user_id),
    permissionsOf: (role: string): Permission[] => permissionsByRole.value.get(role) ?? [],
    /** True for the last enabled administrator, whom the server keeps. */
    isLastAdmin: (user: User): boolean =>
      isAdmin(user) && !list.value.some((other) => other.unique_id !== user.unique_id && isAdmin(other)),
  };
});

function isAdmin({ role, is_enabled }: User): boolean {
  return role === 'Admin' && is_enabled;
}
