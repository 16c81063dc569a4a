import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { uuid } from './identifier.ts';
import { permission } from './permission.ts';
import { nextCursor, pageQuery } from './page.ts';

const name = z.string().trim().min(1).max(64).describe('No two roles have one name, whatever its case');
const heldPermissions = z
  .array(permission)
  .refine((list) => new Set(list).size === list.length, 'must not name a permission twice')
  .describe('A caller can grant only permissions of its own');

export const role = z.strictObject({
  unique_id: uuid,
  name: z.string(),
  permissions: z.array(permission),
  is_delivered: z.boolean().describe('A built-in role never changes'),
});
export type Role = z.infer<typeof role>;

export const roleCreate = z.strictObject({ name, permissions: heldPermissions });
export type RoleCreate = z.infer<typeof roleCreate>;

export const roleUpdate = z.strictObject({
  unique_id: uuid.optional().describe('Read only'),
  is_delivered: z.boolean().optional().describe('Read only'),
  name: name.optional(),
  permissions: heldPermissions.optional(),
});
export type RoleUpdate = z.infer<typeof roleUpdate>;

const roleParams = z.strictObject({ role_id: uuid });

export const roleEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/settings/roles',
    tag: 'roles',
    summary: 'List the roles, delivered and own ones',
    access: 'edit_users',
    query: z.strictObject(pageQuery),
    answer: z.strictObject({ roles: z.array(role), next_cursor: nextCursor }),
    statuses: [200],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/settings/roles',
    tag: 'roles',
    summary: 'Make a role',
    access: 'edit_users',
    body: roleCreate,
    answer: role,
    statuses: [201],
    errors: ['already_exists'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/settings/roles/:role_id',
    tag: 'roles',
    summary: 'Read a role',
    access: 'edit_users',
    params: roleParams,
    answer: role,
    statuses: [200],
    errors: ['not_found'],
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/settings/roles/:role_id',
    tag: 'roles',
    summary: 'Change an own role: at once for who has it; changed permissions end their other sessions',
    access: 'edit_users',
    params: roleParams,
    body: roleUpdate,
    answer: role,
    statuses: [200],
    errors: ['read_only_field', 'not_found', 'conflict', 'already_exists'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/settings/roles/:role_id',
    tag: 'roles',
    summary: 'Delete an own role that no user has',
    access: 'edit_users',
    params: roleParams,
    answer: z.strictObject({ unique_id: uuid, deleted: z.literal(true) }),
    statuses: [200],
    errors: ['not_found', 'conflict', 'in_use'],
  }),
};
